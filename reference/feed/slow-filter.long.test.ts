/** A filter that fails after a long time, over HTTP. */
import { setTimeout as pause } from 'node:timers/promises';
import test from 'ava';
import type { Filter } from '../filters/filter.js';
import { httpError } from '../http/errors.js';
import { testServer } from '../testing/server.js';

test('a filter that fails after 15 seconds makes the response an error, in every mode', async (t) => {
  const filter: Filter = {
    needsBodies: false,
    async accept() {
      await pause(15_000);
      throw httpError(400, 'filter_error', 'The filter fails.');
    },
    close: () => {},
  };
  const server = await testServer(t, {
    components: (components) => ({ ...components, createFilter: () => Promise.resolve(filter) }),
  });
  await server.asAdmin('PUT', '/recipes');
  await server.asAdmin('PUT', '/recipes/soup', {});
  const queries = [
    '',
    'feed=longpoll',
    'feed=continuous',
    'feed=eventsource',
    'feed=continuous&heartbeat=30000',
  ];
  const replies = await Promise.all(
    queries.map((query) => server.asAdmin('GET', `/recipes/_changes?${query}`)),
  );
  t.deepEqual(
    replies.map(({ status }) => status),
    queries.map(() => 400),
  );
});
