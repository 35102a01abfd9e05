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

for (;;) {
  const stream = new PassThrough();
  try {
    const [lines] = await Promise.all([text(stream), save(stream).finally(() => stream.end())]);
    const docs = lines.split('\n').flatMap((line) => (line === '' ? [] : JSON.parse(line)));
    for (const doc of docs) if (doc._id) say({ id: doc._id, doc, deleted: doc._deleted });
  } catch (error) {
    console.error(error.message);
  }
  await pause(200);
}
