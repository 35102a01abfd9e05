/** couchbackup saves a database of the reference server and restores it into another. */
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import couchbackup from '@cloudant/couchbackup';
import { emptyFolder } from '../../reports/testing/folder.js';
import { testServer } from '../testing/server.js';

// couchbackup leaves a folder for the log of each backup.
process.env['TMPDIR'] = await emptyFolder({ teardown: (end) => test.after.always(end) });

type Options = Parameters<typeof couchbackup.backup>[2];

const photo = { content_type: 'image/jpeg', data: Buffer.from([0xff, 0xd8, 0, 1]).toString('base64') };

async function kitchen(t: ExecutionContext) {
  const server = await testServer(t, { dialect: 'couchdb' });
  const { url, admin, asAdmin } = server;
  for (const name of ['/recipes', '/restored']) await asAdmin('PUT', name);
  const urlOf = (name: string) => `${url.replace('://', `://${admin.name}:${admin.password}@`)}/${name}`;
  const backup = async (name: string, options: Options) => {
    const target = new PassThrough();
    const [text] = await Promise.all([
      buffer(target),
      new Promise<void>((resolve, reject) =>
        couchbackup.backup(urlOf(name), target, options, (error) => (error ? reject(error) : resolve())),
      ),
    ]);
    return text;
  };
  const restore = (text: Buffer, name: string, options: Options) =>
    new Promise<void>((resolve, reject) =>
      couchbackup.restore(Readable.from([text]), urlOf(name), options, (error) =>
        error ? reject(error) : resolve(),
      ),
    );
  /** All leaf revisions of all documents, with their ancestors. */
  const content = async (name: string) => {
    const feed = await asAdmin('GET', `/${name}/_changes?style=all_docs`);
    const { results } = feed.json as { results: { id: string }[] };
    const ids = results.map(({ id }) => id).sort();
    const docs = await asAdmin('POST', `/${name}/_bulk_get?revs=true&attachments=true`, {
      docs: ids.map((id) => ({ id })),
    });
    return docs.json;
  };
  return { ...server, backup, restore, content };
}

for (const { options, attachments } of [
  { options: {}, attachments: false },
  { options: { attachments: true }, attachments: true },
]) {
  test(`a backup is restored, ${attachments ? 'with attachments' : 'documents only'}`, async (t) => {
    const { asAdmin, backup, restore, content, reports } = await kitchen(t);
    const many = Array.from({ length: 230 }, (_, n) => ({ _id: `doc-${n}`, n, text: 'é\u2028\ud83c\udf5d' }));
    await asAdmin('POST', '/recipes/_bulk_docs', { docs: [...many, { _id: '_design/d', views: {} }] });
    const docs = [
      { _id: 'conflict', _revisions: { start: 2, ids: ['b', 'a'] } },
      { _id: 'conflict', _revisions: { start: 2, ids: ['c', 'a'] } },
      { _id: 'gone', _revisions: { start: 2, ids: ['d', 'a'] }, _deleted: true },
      ...(attachments ? [{ _id: 'attached', _rev: '1-a', _attachments: { 'photo.jpg': photo } }] : []),
    ];
    await asAdmin('POST', '/recipes/_bulk_docs', { docs, new_edits: false });

    const text = await backup('recipes', { ...options, bufferSize: 50, quiet: true });
    await restore(text, 'restored', { ...options, bufferSize: 50, quiet: true });
    t.deepEqual(await content('restored'), await content('recipes'));
    t.deepEqual(reports, []);
  });
}
