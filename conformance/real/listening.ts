import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The URL that a server prints once it accepts requests; undefined when it ends before. */
export async function listeningUrl(stdout: Readable): Promise<string | undefined> {
  for await (const line of createInterface({ input: stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url) return url;
  }
  return undefined;
}
