import test from 'ava';
import { type CleanupTask, leftoverWarnings } from './cleanup-task.js';

const users: CleanupTask[] = [{ kind: 'user', name: 'org.couchdb.user:docfeed-1' }];
const left = 'The run could not restore or remove: user org.couchdb.user:docfeed-1';

for (const [hasJournal, hasAdmin, end] of [
  [true, true, '; use `docfeed restore` to try again.'],
  [true, false, '; use `docfeed restore --admin name:password` to try again.'],
  [false, true, '.'],
  [false, false, '; an administrator of the target must remove it.'],
] as const) {
  const run = `${hasJournal ? 'with' : 'without'} a journal and ${hasAdmin ? 'with' : 'without'} an administrator`;
  test(`a run ${run} says how to remove what is left`, (t) => {
    t.deepEqual(leftoverWarnings(users, { hasJournal, hasAdmin }), [left + end]);
  });
}

test('there is no warning if nothing is left', (t) => {
  t.deepEqual(leftoverWarnings([], { hasJournal: true, hasAdmin: false }), []);
});
