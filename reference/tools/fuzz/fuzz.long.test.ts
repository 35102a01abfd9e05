/** `npm run fuzz` finds what it is there to find. CI runs it with twice as many requests on a server without a defect. */
import test from 'ava';
import { withDefect } from '../../testing/defects.js';
import { fuzz } from './fuzz.js';

const log = () => {};

for (const [id, requests, problem] of [
  ['keeps-bodies', 10_000, /^kept: grew by [\d.]+ MiB/],
  ['keeps-native-memory', 4_000, /^resident: grew by [\d.]+ MiB/],
  ['keeps-files', 4_000, /^handles: grew by \d+/],
] as const) {
  test.serial(`a server that ${id.replaceAll('-', ' ')} fails`, async (t) => {
    t.regex((await fuzz({ ...withDefect(id), requests, seed: 1, log })) ?? 'no problem', problem);
  });
}

test('too few requests show no leak', async (t) => {
  t.regex((await fuzz({ requests: 200, seed: 1, log })) ?? 'no problem', /^only 200 requests were sent/);
});
