import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** Reads the URL of each node from the output of a server. Returns fewer URLs if the server ends before it listens. */
export async function listeningUrls(stdout: Readable, nodes = 1): Promise<string[]> {
  const urls: string[] = [];
  for await (const line of createInterface({ input: stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) urls.push(url);
    if (urls.length === nodes) break;
  }
  return urls;
}
