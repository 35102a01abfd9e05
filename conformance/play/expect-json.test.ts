import test from 'ava';
import { Blocked, Inconclusive } from '../verdict/outcomes.js';
import type { Exchange } from '../http/client.js';
import { expectJson } from './expect-json.js';

const response = (status: number, text = '{}') => ({ request: { path: '/db' }, status, text }) as Exchange;

test('an unexpected status blocks the check, unless another attempt may succeed', (t) => {
  t.deepEqual(expectJson(response(201, '{"ok":true}'), [201, 202]), { ok: true });
  for (const status of [400, 401, 403, 409]) {
    t.throws(() => expectJson(response(status), [201]), { instanceOf: Blocked });
  }
  for (const status of [404, 412, 500, 503]) {
    t.throws(() => expectJson(response(status), [201]), { instanceOf: Inconclusive });
  }
  t.throws(() => expectJson(response(201, 'ok'), [201]), { instanceOf: Blocked, message: /not JSON/ });
});
