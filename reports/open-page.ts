import { access } from 'node:fs/promises';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import open from 'open';
import { fileError } from './file-error.js';

/** A program that opens the browser and fails does so within this time. One that is the browser goes on. */
const failsWithinMs = 2_000;

/**
 * Opens a page in the browser of the desktop.
 *
 * @throws CommanderError (exit code 2) with the path if there is no page, or nothing that opens it.
 */
export async function openPage(file: string): Promise<void> {
  const path = resolve(file);
  const cannot = (why: string) => fileError(`cannot open ${path}: ${why}`);
  await access(path).catch(({ code, message }: NodeJS.ErrnoException) => {
    throw cannot(code ?? message);
  });
  const opener = await open(path).catch((error: Error) => {
    throw cannot(error.message);
  });
  const [status] = (await Promise.race([once(opener, 'exit'), wait(failsWithinMs, [0])])) as [number | null];
  if (status !== 0) throw cannot('no browser was found; open it with one');
}
