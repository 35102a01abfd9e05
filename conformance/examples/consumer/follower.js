#!/usr/bin/env node
/**
 * A consumer of the changes feed that survives everything that the rules allow. It prints what it knows, one line of
 * JSON for each change: replace `work` by what your consumer does.
 *
 *     docfeed consumer -- node follower.js
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const { username, password, origin, pathname } = new URL(process.env.DOCFEED_DATABASE_URL);
const login = { name: decodeURIComponent(username), password: decodeURIComponent(password) };
/** With a selector, the consumer follows only documents that match it. */
const selector = process.env.DOCFEED_SELECTOR;
const checkpointFile = join(process.env.DOCFEED_STATE, 'checkpoint.json');

const heartbeatMs = 1000;
/** A connection that stays silent for longer is dead, although nobody has closed it. */
const silenceMs = 3 * heartbeatMs;

let cookie = '';
/** Any JSON value, which only the server understands. */
let since = await readCheckpoint();

for (let failures = 0; ;) {
  try {
    while ((await readPage()) > 0) failures = 0;
    await followFeed();
    failures = 0;
  } catch (error) {
    failures += 1;
    console.error(error.message);
    // The database was created again, so no earlier position means anything.
    if (error.status === 400) since = 0;
    await pause(error.retryAfterMs ?? Math.min(10 * 2 ** failures, 5000));
  }
}

/** Reads what happened since the checkpoint, in pages. */
async function readPage() {
  const { body, close } = await openFeed({ limit: 200 });
  try {
    let text = '';
    for await (const part of body) text += part;
    const { results, last_seq } = JSON.parse(text);
    if (results.length > 0) await takeRows(results, last_seq);
    return results.length;
  } finally {
    close();
  }
}

/** Waits for changes. A feed may end at any time, also without one. */
async function followFeed() {
  const { body, close } = await openFeed({ feed: 'continuous', heartbeat: heartbeatMs });
  try {
    let rest = '';
    for await (const part of body) {
      const lines = (rest + part).split('\n');
      // The end of a part is not the end of a line.
      rest = lines.pop();
      const rows = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
      const last = rows.at(-1);
      if (last)
        await takeRows(
          rows.filter(({ id }) => id !== undefined),
          last.seq ?? last.last_seq,
        );
    }
  } finally {
    close();
  }
}

/** Works first and moves the checkpoint afterwards: after a crash, rows come again, and none is lost. */
async function takeRows(rows, seq) {
  for (const row of rows) await work(row);
  since = seq;
  await writeFile(`${checkpointFile}.new`, JSON.stringify({ since, selector }));
  await rename(`${checkpointFile}.new`, checkpointFile);
}

/** The same row may come several times, in any order with others, so this must give the same result each time. */
async function work({ id, doc, deleted = false, changes }) {
  const line = JSON.stringify({ id, rev: doc._rev, deleted, leaves: changes.map(({ rev }) => rev) });
  await new Promise((resolve) => process.stdout.write(`${line}\n`, resolve));
}

async function openFeed(parameters) {
  const position = typeof since === 'string' ? since : JSON.stringify(since);
  const query = new URLSearchParams({
    style: 'all_docs',
    include_docs: true,
    since: position,
    ...(selector && { filter: '_selector' }),
    ...parameters,
  });
  const request = selector ? { method: 'POST', body: `{"selector":${selector}}` } : { method: 'GET' };
  return send(`${pathname}/_changes?${query}`, request);
}

async function send(path, options, isRetry = false) {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(new Error('The connection is silent.')), silenceMs);
  const close = () => (clearTimeout(timer), controller.abort());
  // A redirect could lead to another host, which must not get the cookie.
  const response = await fetch(origin + path, {
    ...{ ...options, redirect: 'manual', signal: controller.signal },
    headers: { cookie, 'content-type': 'application/json' },
  });
  if (response.status === 401 && !isRetry) {
    close();
    const session = await send('/_session', { method: 'POST', body: JSON.stringify(login) }, true);
    cookie = session.response.headers.get('set-cookie').split(';')[0];
    session.close();
    return send(path, options, true);
  }
  if (response.status !== 200) {
    close();
    const retryAfterMs = 1000 * response.headers.get('retry-after') || undefined;
    throw Object.assign(new Error(`${path} answers ${response.status}`), {
      status: response.status,
      retryAfterMs,
    });
  }
  const parts = response.body.pipeThrough(new TextDecoderStream());
  const body = (async function* () {
    for await (const part of parts) {
      timer.refresh();
      yield part;
    }
  })();
  return { response, body, close };
}

async function readCheckpoint() {
  try {
    const checkpoint = JSON.parse(await readFile(checkpointFile, 'utf8'));
    // A position in the feed of one selector means nothing in that of another.
    return checkpoint.selector === selector ? checkpoint.since : 0;
  } catch {
    return 0;
  }
}
