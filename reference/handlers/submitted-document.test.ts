import test from 'ava';
import { testServer } from '../testing/server.js';

const attachment = { _attachments: { 'notes.txt': { data: 'MTIzNDU2Nzg5MA==' } } };
const documentTooLarge = { status: 413, json: { error: 'document_too_large', reason: 'soup' } };
const attachmentTooLarge = { status: 413, json: { error: 'attachment_too_large', reason: 'notes.txt' } };

test('`max_document_size` limits the content of a document in bytes, without attachments', async (t) => {
  const config = { couchdb: { max_document_size: '12' } };
  const { asAdmin } = await testServer(t, { config });
  await asAdmin('PUT', '/recipes');
  t.like(await asAdmin('PUT', '/recipes/soup', { a: '12345' }), documentTooLarge);
  t.like(await asAdmin('PUT', '/recipes/soup', { a: 'ééé' }), documentTooLarge);
  t.like(await asAdmin('POST', '/recipes', { _id: 'soup', a: '12345' }), documentTooLarge);
  t.like(
    await asAdmin('POST', '/recipes/_bulk_docs', { docs: [{ a: 1 }, { _id: 'soup', a: '12345' }] }),
    documentTooLarge,
  );
  t.like((await asAdmin('GET', '/recipes')).json, { doc_count: 0 });
  t.is((await asAdmin('PUT', '/recipes/soup', { a: '1234', ...attachment })).status, 201);
});

test('`max_attachment_size` limits each attachment in bytes', async (t) => {
  const { asAdmin } = await testServer(t, { config: { couchdb: { max_attachment_size: '9' } } });
  await asAdmin('PUT', '/recipes');
  t.like(await asAdmin('PUT', '/recipes/soup', attachment), attachmentTooLarge);
  t.like(await asAdmin('PUT', '/recipes/soup/notes.txt', '1234567890'), attachmentTooLarge);
  t.is((await asAdmin('PUT', '/recipes/soup/notes.txt', '123456789')).status, 201);
});
