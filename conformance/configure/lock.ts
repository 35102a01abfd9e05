/** The lock on a target: of all runs that change its settings one is at work at a time. */
import { Refusal } from '../verdict/refusal.js';
import { Blocked } from '../verdict/outcomes.js';
import { asObject, parseJson } from '../client/json.js';
import type { HttpClient } from '../client/client.js';
import type { JournalHeader } from './journal.js';

/** Making a database succeeds once only, so the database is the lock; a document in it says whose it is. */
const database = '/docfeed-lock';
const document = `${database}/holder`;

/** @throws Refusal when another run has it, Blocked when it cannot be made. */
export async function takeLock(client: HttpClient, facts: JournalHeader): Promise<void> {
  const made = await client.request({ method: 'PUT', path: database, as: 'admin' });
  if (made.status === 412) throw new Refusal('target', heldBy(await lockHolder(client)));
  const { run, host, startedAt } = facts;
  const signed =
    made.status < 300
      ? await client.request({ method: 'PUT', path: document, json: { run, host, startedAt }, as: 'admin' })
      : made;
  // Two nodes of a cluster may both make the database; one of them alone makes the document.
  if (signed.status === 409) throw new Refusal('target', heldBy(await lockHolder(client)));
  if (signed.status >= 300)
    throw new Blocked(`the lock cannot be made: PUT is answered with ${signed.status}`);
}

/** Who has the lock; `undefined` when nobody has, an empty object when nothing readable says who. */
export async function lockHolder(client: HttpClient): Promise<Partial<JournalHeader> | undefined> {
  const read = await client.request({ path: document, as: 'admin' });
  if (read.status === 200) return asObject(parseJson(read.text));
  return (await client.request({ path: database, as: 'admin' })).status === 200 ? {} : undefined;
}

/** Gives the lock back if `run` has it. True when it has it no more. */
export async function releaseLock(client: HttpClient, run: string): Promise<boolean> {
  const holder = await lockHolder(client);
  if (holder === undefined || (holder.run ?? run) !== run) return true;
  return breakLock(client);
}

/** Takes the lock away from whoever has it. True when nobody has it then. */
export async function breakLock(client: HttpClient): Promise<boolean> {
  const { status } = await client.request({ method: 'DELETE', path: database, as: 'admin' });
  return status < 300 || status === 404;
}

export function heldBy(holder: Partial<JournalHeader> | undefined): string {
  const { run = 'unknown', host = 'an unknown machine', startedAt = 'an unknown time' } = holder ?? {};
  return (
    `run ${run} on ${host} changes the settings of this target since ${startedAt}; if it is not at work any more, ` +
    '`docfeed restore` on that machine puts back what it changed; where its journal is lost, ' +
    '`docfeed restore URL --force` takes its lock away'
  );
}
