/** Saves the database with couchbackup, again and again, and says what is in each backup. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import couchbackup from '@cloudant/couchbackup';
import { say, url } from './state.js';

const save = (stream) =>
  new Promise((resolve, reject) => {
    couchbackup.backup(url, stream, { quiet: true }, (error) => (error ? reject(error) : resolve()));
  });

/** A backup has all leaves and does not say which one wins: the first one, for the database that restores them. */
const byRank = (a, b) =>
  Boolean(a._deleted) - Boolean(b._deleted) ||
  Number.parseInt(b._rev) - Number.parseInt(a._rev) ||
  (a._rev < b._rev ? 1 : -1);

for (;;) {
  const stream = new PassThrough();
  try {
    const [lines] = await Promise.all([text(stream), save(stream).finally(() => stream.end())]);
    const docs = lines.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
    const documents = new Map();
    for (const doc of docs) if (doc._id) documents.set(doc._id, [...(documents.get(doc._id) ?? []), doc]);
    for (const [id, leaves] of documents) {
      const [doc] = leaves.sort(byRank);
      say({ id, doc, deleted: doc._deleted, leaves: leaves.map(({ _rev }) => _rev) });
    }
  } catch (error) {
    console.error(error.message);
  }
  await pause(200);
}
