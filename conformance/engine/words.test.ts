/** The engine decides what runs and what its outcome is. What the service is, it learns from the target and the areas. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';

const folder = 'conformance/engine';
const words =
  /couch|chttpd|_changes|_session|_users|_bulk|\bseqs?\b|(?<!doc)feed|heartbeat|long-?poll|event-?source|\bcookie|\bjwt|totp|bearer|revision|single-copy|userCtx|_doc\b/i;

test('the engine has no word of the service', async (t) => {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  t.true(files.length > 15);
  for (const file of files) {
    const lines = (await readFile(join(folder, file), 'utf8')).split('\n');
    t.deepEqual(
      lines.filter((line) => words.test(line)),
      [],
      file,
    );
  }
});
