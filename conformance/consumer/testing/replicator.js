/**
 * A careful replicator without libraries: it copies each leaf revision of the database to the target, and its checkpoint is
 * a document of the target.
 */
import { createHash } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const { DOCFEED_DATABASE_URL, DOCFEED_TARGET_URL, DOCFEED_SELECTOR } = process.env;
const source = databaseAt(DOCFEED_DATABASE_URL);
const target = databaseAt(DOCFEED_TARGET_URL);
const heartbeatMs = 1000;
/** A position in the feed of one selector means nothing in that of another. */
const name = createHash('sha256').update(`copies ${DOCFEED_SELECTOR}`).digest('hex');
const checkpoint = `/_local/${name}`;

let attempts = 0;
/** The checkpoint as the target has it; undefined before it is read. */
let stored;

for (;;) {
  attempts += 1;
  try {
    stored ??= await readCheckpoint();
    await followFeed();
  } catch (error) {
    console.error(error.message);
    // The database was created again, so no earlier position means anything.
    if (error.status === 400 && stored) stored.since = 0;
    // The answer to the last change of the checkpoint was lost.
    if (error.status === 409) stored = undefined;
    await pause(error.retryAfterMs ?? 0);
  }
  await pause(Math.min(10 * 2 ** attempts, 5000));
}

function databaseAt(text) {
  const { origin, pathname, username, password } = new URL(text);
  const login = [username, password].map(decodeURIComponent).join(':');
  return { url: origin + pathname, authorization: `Basic ${Buffer.from(login).toString('base64')}` };
}

/** A redirect is an error: it could lead to another host, which must not get the password. */
async function send({ url, authorization }, path, method = 'GET', body) {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error('The connection is silent.')), 3 * heartbeatMs);
  const response = await fetch(url + path, {
    method,
    redirect: 'manual',
    headers: { authorization, 'content-type': 'application/json' },
    signal: silence.signal,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) {
    await response.body?.cancel();
    clearTimeout(timer);
    const { status, headers } = response;
    const retryAfterMs = 1000 * headers.get('retry-after') || undefined;
    throw Object.assign(new Error(`${path} answers ${status}`), { status, retryAfterMs });
  }
  return (async function* () {
    for await (const part of response.body) {
      timer.refresh();
      yield part;
    }
    clearTimeout(timer);
  })();
}

async function ask(...request) {
  const parts = [];
  for await (const part of await send(...request)) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
}

async function readCheckpoint() {
  try {
    return await ask(target, checkpoint);
  } catch (error) {
    if (error.status === 404) return { since: 0 };
    throw error;
  }
}

async function followFeed() {
  const { since } = stored;
  const query = new URLSearchParams({
    feed: 'continuous',
    heartbeat: heartbeatMs,
    style: 'all_docs',
    since: typeof since === 'string' ? since : JSON.stringify(since),
    ...(DOCFEED_SELECTOR && { filter: '_selector' }),
  });
  const selector = DOCFEED_SELECTOR && { selector: JSON.parse(DOCFEED_SELECTOR) };
  const feed = await send(source, `/_changes?${query}`, selector ? 'POST' : 'GET', selector);
  const decoder = new TextDecoder();
  let rest = '';
  for await (const part of feed) {
    const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
    rest = lines.pop();
    const objects = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
    const rows = objects.filter(({ id }) => id !== undefined);
    if (rows.length > 0) await take(rows);
  }
}

/** Copies first and moves the checkpoint afterwards: after a crash, rows come again, and none is lost. */
async function take(rows) {
  await copy(rows);
  await store(rows.at(-1).seq);
  attempts = 0;
}

async function copy(rows) {
  const revisions = rows.flatMap(({ id, changes }) => changes.map(({ rev }) => ({ id, rev })));
  const { results } = await ask(source, '/_bulk_get?revs=true&attachments=true', 'POST', { docs: revisions });
  const docs = results.flatMap((result) => result.docs.flatMap(({ ok }) => ok ?? []));
  await ask(target, '/_bulk_docs', 'POST', { docs, new_edits: false });
}

async function store(since) {
  const { rev } = await ask(target, checkpoint, 'PUT', { ...stored, since });
  stored = { ...stored, _rev: rev, since };
}
