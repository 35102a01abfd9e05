/** The shipped baselines are valid, and name what they expect in some cases only. */
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { checks } from './rules/checks.js';
import { readBaseline } from './engine/baseline.js';

const folder = new URL('baselines/', import.meta.url);

for (const file of await readdir(folder)) {
  test(`${file} limits what it expects in some cases to a share, a message, and a place or an input`, async (t) => {
    const entries = await readBaseline(fileURLToPath(new URL(file, folder)), checks);
    t.true(entries.length > 0);
    for (const { check, sometimes, message, at, input } of entries) {
      if (sometimes === undefined) continue;
      t.is(typeof sometimes, 'number', check);
      t.truthy(message, check);
      t.truthy(at ?? input, check);
    }
  });
}
