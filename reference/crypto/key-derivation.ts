/** Derives PBKDF2 keys in threads of its own: those of Node also write to disk, and must not wait for passwords. */
import { pbkdf2 } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Piscina } from 'piscina';
import { FairLimit } from './fair-limit.js';
import derive, { type KeyParameters } from './key-derivation-thread.js';

/** At least two, so that one slow key does not delay all others. */
const maxThreads = Math.min(4, Math.max(2, availableParallelism() - 1));

/** Keys with fewer iterations take less than a millisecond, which is less than the cost of a thread. */
const minIterationsForThread = 1000;

const queue = new FairLimit(maxThreads);
let threads: Promise<Piscina<KeyParameters, Uint8Array>> | undefined;

/**
 * @param client who causes the work: an IP address for a login, otherwise an account. Clients take turns. The password of
 *   an administrator in the configuration needs none: it is rare, and the server starts sooner without threads.
 */
export async function deriveKey(parameters: KeyParameters, client?: string): Promise<Buffer> {
  const { password, salt, iterations, length, digest } = parameters;
  if (iterations < minIterationsForThread) return derive(parameters);
  if (client === undefined) return promisify(pbkdf2)(password, salt, iterations, length, digest);
  const pool = await (threads ??= startThreads());
  return Buffer.from(await queue.run(client, () => pool.run(parameters)));
}

async function startThreads(): Promise<Piscina<KeyParameters, Uint8Array>> {
  const { Piscina } = await import('piscina');
  return new Piscina({
    filename: fileURLToPath(new URL(`./key-derivation-thread${extname(import.meta.url)}`, import.meta.url)),
    minThreads: 0,
    maxThreads,
    idleTimeout: 60_000,
    // Requests that need no password have precedence.
    niceIncrement: 10,
  });
}
