import { open } from 'node:fs/promises';
import test from 'ava';
import { Journal } from './journal.js';

const onLinux = process.platform === 'linux' ? test : test.skip;

// This device is always full.
onLinux('a journal that cannot be written rejects for good, and says so', async (t) => {
  const handle = await open('/dev/full', 'r+');
  const failures: Error[] = [];
  const journal = new Journal(handle, 16, Promise.resolve(), (error) => failures.push(error));
  await t.notThrowsAsync(journal.flushed());
  for (let attempt = 0; attempt < 2; attempt++) {
    journal.append({ kind: 'delete', instance: 'x' });
    await t.throwsAsync(journal.flushed(), { code: 'ENOSPC' });
  }
  t.like(failures, [{ code: 'ENOSPC' }]);
  await journal.close();
});
