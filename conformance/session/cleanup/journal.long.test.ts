import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { execaNode } from 'execa';
import { emptyFolder } from '../../../reports/testing/folder.js';
import { referenceServer } from '../../testing/reference.js';
import { program } from '../../../reports/testing/program.js';
import { RunJournal, journalHeader, journalsOfEndedRuns } from './journal.js';
import { leaveJournal } from '../testing/killing.js';

const url = new URL('http://127.0.0.1:5984');

test('a journal is that of a killed run after the run has ended, but not while it continues', async (t) => {
  const folder = await emptyFolder(t);
  const journal = new RunJournal(folder, journalHeader('run', [url]));
  journal.add({ kind: 'database', name: 'docfeed-a' });
  t.deepEqual(await journalsOfEndedRuns(folder, [url]), []);
  journal.close();
  t.like((await journalsOfEndedRuns(folder, [url]))[0], { file: journal.file, header: { run: 'run' } });
});

test('killed runs of other targets, those without a task and damaged journals do not count', async (t) => {
  const folder = await emptyFolder(t);
  const other = 'http://127.0.0.1:5985/';
  leaveJournal(folder, other, { run: 'other' });
  leaveJournal(folder, url.href, { run: 'older', startedAt: '2026-01-01T00:00:00Z' });
  const urls = [other, url.href];
  leaveJournal(folder, other, { run: 'newer', urls, startedAt: '2026-01-02T00:00:00Z' });
  const empty = journalHeader('empty', [url]);
  await writeFile(join(folder, 'empty.journal.jsonl'), `${JSON.stringify(empty)}\n`);
  await writeFile(join(folder, 'damaged.journal.jsonl'), 'x\n');
  const found = await journalsOfEndedRuns(folder, [url]);
  t.deepEqual(
    found.map(({ header }) => header.run),
    ['newer', 'older'],
  );
});

test('where files cannot be locked, a journal is written, but nobody takes a run for killed', async (t) => {
  const folder = await emptyFolder(t);
  // A native part that is missing, as on a system for which there is none.
  const preload = join(folder, 'preload.cjs');
  await writeFile(
    preload,
    `const { Module } = require('node:module');
    const load = Module._load;
    Module._load = (name, ...rest) => {
      if (name === 'fs-native-extensions') throw new Error('no native part');
      return load(name, ...rest);
    };`,
  );
  const env = { NODE_OPTIONS: `--require=${preload}`, XDG_STATE_HOME: folder, DOCFEED_ADMIN: 'admin:secret' };
  const docfeed = (...args: string[]) => execaNode(program, args, { env, reject: false, all: true });
  const server = await referenceServer(t, { admin: { name: 'admin', password: 'secret' } });
  const options = ['--only', 'feed-pending', '--profile', 'smoke', '--report-dir', join(folder, 'report')];
  const check = await docfeed('check', server.url, ...options);
  t.is(check.exitCode, 0, check.all);
  const state = join(folder, 'docfeed');
  t.deepEqual(await readdir(state), []);
  const file = leaveJournal(state, server.url);
  const restore = await docfeed('restore');
  t.is(restore.exitCode, 2);
  t.regex(restore.all, /a run may still be active: when it has ended, name its journal with --journal/);
  t.like(await docfeed('restore', '--journal', file), { exitCode: 0 });
  t.deepEqual(await readdir(state), []);
});
