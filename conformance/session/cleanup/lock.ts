/**
 * Locks a target, so that only one run changes its settings at a time. The lock says what these were before, so that any
 * machine can restore them if the run is killed.
 */
import { arrayOf, matching, objectWith, oneOf, orNothing, satisfying } from '../../engine/matchers.js';
import { Refusal } from '../../engine/refusal.js';
import { Blocked } from '../../engine/outcomes.js';
import { isUnsupported } from '../probe/capabilities.js';
import { asObject, parseJson } from '../../http/parse-json.js';
import type { Exchange, HttpClient } from '../../http/client.js';
import type { ChangedSetting } from './cleanup-task.js';
import { anIndex, type JournalHeader } from './journal-lines.js';

/** The database is the lock, since only one client can create it. A document in it identifies the run. */
const database = '/docfeed-lock';
const document = `${database}/holder`;

/** The run that holds the lock. Members that the lock does not say are missing. */
export type LockHolder = Partial<Pick<JournalHeader, 'run' | 'host' | 'startedAt' | 'urls'>> & {
  /** The values to restore, oldest first. */
  readonly settings: readonly ChangedSetting[];
};

/** Only administrators, since values of settings may be secrets. */
const access = { members: { names: [], roles: ['_admin'] }, admins: { names: [], roles: ['_admin'] } };

/** @throws Refusal if another run holds the lock, Blocked if the target refuses to create it. */
export async function takeLock(client: HttpClient, header: JournalHeader): Promise<void> {
  const created = await client.request({ method: 'PUT', path: database, as: 'admin' });
  // The name of the holder is only for the message, and an interruption may keep it from being read.
  const refusal = async () => new Refusal('target', heldBy(await lockHolder(client).catch(() => undefined)));
  if (created.status === 412) throw await refusal();
  mustSucceed(created, 'Cannot create the lock');
  const closed = { method: 'PUT', path: `${database}/_security`, json: access, as: 'admin' } as const;
  mustSucceed(await client.request(closed), 'Cannot keep others from reading the lock');
  const { run, host, startedAt, urls } = header;
  const json = { run, host, startedAt, urls, settings: [] };
  const written = await client.request({ method: 'PUT', path: document, json, as: 'admin' });
  // Two nodes of a cluster may both create the database, but only one creates the document.
  if (written.status === 409) throw await refusal();
  mustSucceed(written, 'Cannot write to the lock');
}

/**
 * Lets the lock of a run list the values to restore.
 *
 * @throws Blocked if the run does not hold the lock any more, or the target refuses.
 */
export async function listInLock(
  client: HttpClient,
  run: string,
  settings: readonly ChangedSetting[],
): Promise<void> {
  const read = await client.request({ path: document, as: 'admin' });
  const holder = asObject(parseJson(read.text));
  if (holder['run'] !== run) throw new Blocked('Another run, or `docfeed restore`, has taken the lock.');
  const json = { ...holder, settings };
  mustSucceed(
    await client.request({ method: 'PUT', path: document, json, as: 'admin' }),
    'Cannot write to the lock',
  );
}

const settingsMatcher = arrayOf(
  objectWith({
    kind: oneOf(['setting']),
    node: anIndex,
    name: matching(/^[^/]+\/./s, 'section/key'),
    before: satisfying('a string or null', (value) => value === null || typeof value === 'string'),
  }),
);

/**
 * @returns the run that holds the lock: `undefined` if there is none
 * @throws Refusal if the lock lists something else than settings. Each leads to a change of the target.
 */
export async function lockHolder(client: HttpClient): Promise<LockHolder | undefined> {
  const read = await client.request({ path: document, as: 'admin' });
  if (read.status !== 200) {
    const isThere = (await client.request({ path: database, as: 'admin' })).status === 200;
    return isThere ? { settings: [] } : undefined;
  }
  const holder = asObject(parseJson(read.text));
  const difference = orNothing(settingsMatcher)(holder['settings'], '$.settings');
  if (difference) {
    throw new Refusal('target', `the document ${document} of the target is damaged at ${difference.path}`);
  }
  return { settings: [], ...holder };
}

/** Releases the lock if `run` holds it. @returns true if `run` does not hold it any more. */
export async function releaseLock(client: HttpClient, run: string): Promise<boolean> {
  const holder = await lockHolder(client);
  if (holder === undefined || (holder.run ?? run) !== run) return true;
  const { status } = await client.request({ method: 'DELETE', path: database, as: 'admin' });
  return status < 300 || status === 404;
}

function mustSucceed(exchange: Exchange, problem: string): void {
  if (exchange.status < 300) return;
  throw new Blocked(`${problem}: ${exchange.method} returns ${exchange.status}.`, {
    isUnsupported: isUnsupported(exchange),
  });
}

function heldBy(holder: LockHolder | undefined): string {
  const { run = 'unknown', host = 'an unknown machine', startedAt = 'an unknown time' } = holder ?? {};
  return (
    `run ${run} on ${host} has been changing the settings of this target since ${startedAt}; if it is not running ` +
    'any more, use `docfeed restore` on that machine, or `docfeed restore --force URL` on any, to restore them'
  );
}
