#!/usr/bin/env node
/**
 * A consumer of the changes feed that survives everything that the rules allow. It prints what it knows, one line of
 * JSON for each change: replace `work` by what your consumer does.
 *
 *     docfeed consumer -- node follower.js
 */
import { once } from 'node:events';
import { readFile, rename, writeFile } from 'node:fs/promises';
import * as http from 'node:http';
import * as https from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const { username, password, protocol, origin, pathname } = new URL(process.env.DOCFEED_DATABASE_URL);
const login = { name: decodeURIComponent(username), password: decodeURIComponent(password) };
const { request } = protocol === 'https:' ? https : http;
/** With a selector, the consumer follows only documents that match it. */
const selector = process.env.DOCFEED_SELECTOR;
const checkpointFile = join(process.env.DOCFEED_STATE, 'checkpoint.json');
const heartbeatMs = 1000;

let cookie = '';
/** Any JSON value, which only the server understands. */
let since = await readCheckpoint();
/** Number of attempts since the last row. */
let attempts = 0;

for (;;) {
  attempts += 1;
  try {
    if (cookie === '') await logIn();
    await followFeed();
  } catch (error) {
    console.error(error.message);
    if (error.status === 401) cookie = '';
    // The database was created again, so no earlier position means anything.
    if (error.status === 400) since = 0;
    await pause(error.retryAfterMs ?? 0);
  }
  await pause(Math.min(10 * 2 ** attempts, 5000));
}

async function logIn() {
  const response = await send('POST', '/_session', JSON.stringify(login));
  response.resume();
  // A proxy may have set cookies as well.
  const session = response.headers['set-cookie'].find((text) => text.startsWith('AuthSession='));
  cookie = session.split(';')[0];
}

/** Returns when the feed ends, which may happen at any time, also without a row. */
async function followFeed() {
  const query = new URLSearchParams({
    feed: 'continuous',
    heartbeat: heartbeatMs,
    style: 'all_docs',
    include_docs: true,
    since: typeof since === 'string' ? since : JSON.stringify(since),
    ...(selector && { filter: '_selector' }),
  });
  const body = selector && `{"selector":${selector}}`;
  const feed = await send(selector ? 'POST' : 'GET', `${pathname}/_changes?${query}`, body);
  let rest = '';
  for await (const part of feed) {
    const lines = (rest + part).split('\n');
    // The end of a part is not the end of a line.
    rest = lines.pop();
    // An empty line is a heartbeat, and the object at the end of a feed has no id.
    const objects = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line));
    const rows = objects.filter(({ id }) => id !== undefined);
    if (rows.length > 0) await take(rows);
  }
}

/** Works first and moves the checkpoint afterwards: after a crash, rows come again, and none is lost. */
async function take(rows) {
  for (const row of rows) await work(row);
  since = rows.at(-1).seq;
  attempts = 0;
  await writeFile(`${checkpointFile}.new`, JSON.stringify({ since, selector }));
  await rename(`${checkpointFile}.new`, checkpointFile);
}

/** The same row may come several times, in any order with others, so this must give the same result each time. */
async function work({ id, doc, deleted = false, changes }) {
  const line = JSON.stringify({ id, rev: doc._rev, deleted, leaves: changes.map(({ rev }) => rev) });
  await new Promise((resolve) => process.stdout.write(`${line}\n`, resolve));
}

/** A redirect is an error: it could lead to another host, which must not get the cookie. */
async function send(method, path, body) {
  const headers = { cookie, 'content-type': 'application/json' };
  const outgoing = request(origin + path, { method, headers, timeout: 3 * heartbeatMs });
  // A connection that is silent for so long is dead, although nobody has closed it.
  outgoing.on('timeout', () => outgoing.destroy(new Error('The connection is silent.')));
  // Reading the response throws the same error.
  outgoing.on('error', () => {});
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  const { statusCode: status, headers: received } = response;
  if (status === 200) return response.setEncoding('utf8');
  response.destroy();
  const retryAfterMs = 1000 * received['retry-after'] || undefined;
  throw Object.assign(new Error(`${path} answers ${status}`), { status, retryAfterMs });
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
