import test from 'ava';
import { Blocked } from '../engine/outcomes.js';
import type { Exchange } from '../http/client.js';
import { expectJson } from './expect-json.js';

const response = (status: number, text = '{}') => ({ request: { path: '/db' }, status, text }) as Exchange;

test('an unexpected status blocks the check, unless another attempt may succeed', (t) => {
  t.deepEqual(expectJson(response(201, '{"ok":true}')), { ok: true });
  for (const [mayPass, statuses] of [
    [false, [400, 401, 403, 409]],
    [true, [404, 412, 500, 503]],
  ] as const) {
    for (const status of statuses) {
      const blocked = t.throws(() => expectJson(response(status)), { instanceOf: Blocked });
      t.like(blocked, { mayPass, obstacle: `GET /db returns ${status}` });
    }
  }
  t.throws(() => expectJson(response(201, 'ok')), { instanceOf: Blocked, message: /not JSON/ });
});
