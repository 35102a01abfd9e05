import { readdir } from 'node:fs/promises';
import test from 'ava';
import { readTargetFile } from '../session/target-file.js';

const folder = 'conformance/examples/targets';

test('each target file can be read', async (t) => {
  const files = await readdir(folder);
  t.true(files.length > 0);
  for (const file of files) await t.notThrowsAsync(readTargetFile(`${folder}/${file}`), file);
});
