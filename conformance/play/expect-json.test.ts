import test from 'ava';
import { Blocked, Inconclusive } from '../verdict/outcomes.js';
import type { Exchange } from '../client/client.js';
import { expectJson } from './expect-json.js';

const answered = (status: number, text = '{}') => ({ request: { path: '/db' }, status, text }) as Exchange;

test('what a target refuses blocks a check, what it may do the next time does not', (t) => {
  t.deepEqual(expectJson(answered(201, '{"ok":true}'), [201, 202]), { ok: true });
  for (const status of [400, 401, 403, 409]) {
    t.throws(() => expectJson(answered(status), [201]), { instanceOf: Blocked });
  }
  for (const status of [404, 412, 500, 503]) {
    t.throws(() => expectJson(answered(status), [201]), { instanceOf: Inconclusive });
  }
  t.throws(() => expectJson(answered(201, 'ok'), [201]), { instanceOf: Blocked, message: /not JSON/ });
});
