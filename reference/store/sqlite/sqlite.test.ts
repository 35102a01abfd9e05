import test from 'ava';
import { SqliteEngine } from './sqlite.js';

test('a file of an older version gets the tables that it lacks, and keeps the others', async (t) => {
  const old = 'CREATE TABLE IF NOT EXISTS old (value INTEGER);';
  const older = await SqliteEngine.load({ tables: old, rows: 'INSERT INTO old VALUES (1)' });
  const newer = await SqliteEngine.load({
    tables: `${old} CREATE TABLE IF NOT EXISTS added (value INTEGER);`,
    rows: '',
  });
  const database = newer.open({ snapshot: older.open().snapshot() });
  t.deepEqual(database.statement('SELECT value FROM old').get(), [1]);
  t.is(database.statement('SELECT value FROM added').get(), undefined);
});
