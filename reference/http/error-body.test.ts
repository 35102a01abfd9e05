import { Boom } from '@hapi/boom';
import test from 'ava';
import { dialects } from '../../openapi/generated/dialects.js';
import { httpError } from './errors.js';
import { errorBody } from './error-body.js';

for (const status of [
  400, 401, 403, 404, 405, 408, 409, 411, 413, 414, 415, 417, 422, 429, 431, 500, 501, 503, 504,
]) {
  test(`an error of hapi with status ${status} only has error and reason`, (t) => {
    for (const message of ['', 'a message']) {
      const body = errorBody(new Boom(message, { statusCode: status }), dialects.service);
      t.deepEqual(Object.keys(body), ['error', 'reason']);
      t.true(Object.values(body).every((text: string) => text !== ''));
      if (status >= 500) t.notRegex(JSON.stringify(body), /a message/);
    }
  });
}

test('an error of a handler has its reason, and the names of the dialect', (t) => {
  const error = httpError(400, 'bad_request', 'why');
  t.deepEqual(errorBody(error, dialects.service), { error: 'bad request', reason: 'why' });
  t.deepEqual(errorBody(error, dialects.couchdb), { error: 'bad_request', reason: 'why' });
  const other = httpError(503, 'maintenance', 'later');
  t.deepEqual(errorBody(other, dialects.service), { error: 'maintenance', reason: 'later' });
});
