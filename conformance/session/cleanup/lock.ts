/** Locks a target, so that only one run changes its settings at a time. */
import { Refusal } from '../../engine/refusal.js';
import { Blocked } from '../../engine/outcomes.js';
import { isUnsupported } from '../probe/capabilities.js';
import { asObject, parseJson } from '../../http/parse-json.js';
import type { HttpClient } from '../../http/client.js';
import type { JournalHeader } from './journal-lines.js';

/** The database is the lock, since only one client can create it. A document in it identifies the run. */
const database = '/docfeed-lock';
const document = `${database}/holder`;

/** @throws Refusal if another run holds the lock, Blocked if the target refuses to create it. */
export async function takeLock(client: HttpClient, header: JournalHeader): Promise<void> {
  const created = await client.request({ method: 'PUT', path: database, as: 'admin' });
  // The name of the holder is only for the message, and an interruption may keep it from being read.
  const refusal = async () => new Refusal('target', heldBy(await lockHolder(client).catch(() => undefined)));
  if (created.status === 412) throw await refusal();
  const { run, host, startedAt } = header;
  const written =
    created.status < 300
      ? await client.request({ method: 'PUT', path: document, json: { run, host, startedAt }, as: 'admin' })
      : created;
  // Two nodes of a cluster may both create the database, but only one creates the document.
  if (written.status === 409) throw await refusal();
  if (written.status >= 300) {
    throw new Blocked(`Cannot create the lock: PUT returns ${written.status}.`, {
      isUnsupported: isUnsupported(written),
    });
  }
}

/** @returns the run that holds the lock: `undefined` if there is none, an empty object if it is unknown. */
export async function lockHolder(client: HttpClient): Promise<Partial<JournalHeader> | undefined> {
  const read = await client.request({ path: document, as: 'admin' });
  if (read.status === 200) return asObject(parseJson(read.text));
  return (await client.request({ path: database, as: 'admin' })).status === 200 ? {} : undefined;
}

/** Releases the lock if `run` holds it. @returns true if `run` does not hold it any more. */
export async function releaseLock(client: HttpClient, run: string): Promise<boolean> {
  const holder = await lockHolder(client);
  if (holder === undefined || (holder.run ?? run) !== run) return true;
  return breakLock(client);
}

/** Removes the lock of any run. @returns true if no run holds it any more. */
export async function breakLock(client: HttpClient): Promise<boolean> {
  const { status } = await client.request({ method: 'DELETE', path: database, as: 'admin' });
  return status < 300 || status === 404;
}

function heldBy(holder: Partial<JournalHeader> | undefined): string {
  const { run = 'unknown', host = 'an unknown machine', startedAt = 'an unknown time' } = holder ?? {};
  return (
    `run ${run} on ${host} has been changing the settings of this target since ${startedAt}; if it is not running ` +
    'any more, use `docfeed restore` on that machine to restore them, or `docfeed restore --force URL` to remove the ' +
    'lock if its journal is lost'
  );
}
