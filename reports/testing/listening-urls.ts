import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** A program that makes a server, and says where it listens. */
type ServingProcess = { readonly stdout: Readable } & PromiseLike<{ readonly stderr?: unknown }>;

/** Reads the URL of each node from the output of a server. Rejects with its standard error if it ends before it listens. */
export async function listeningUrls(child: ServingProcess, nodes = 1): Promise<string[]> {
  const urls: string[] = [];
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^listening on (\S+)$/.exec(line)?.[1];
    if (url !== undefined) urls.push(url);
    if (urls.length === nodes) return urls;
  }
  const { stderr = 'the server did not start' } = await child;
  throw new Error(String(stderr));
}

export const listeningUrl = async (child: ServingProcess): Promise<string> =>
  (await listeningUrls(child))[0]!;
