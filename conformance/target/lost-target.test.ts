/** A target that has stopped responding, or only seems to. */
import test, { type ExecutionContext } from 'ava';
import { connected, served } from '../testing/server.js';
import { LostTargetGuard } from './lost-target.js';

/** A target that breaks the connection of a request to its root, the guard's, after it has answered another request. */
async function guardedTarget(t: ExecutionContext) {
  let answered = (): void => {};
  const server = await served(t, (request, response) => {
    if (request.url === '/') answered = () => response.destroy();
    else response.end('{}', () => answered());
  });
  const connection = connected(t, server.url);
  return { server, connection, guard: new LostTargetGuard(connection, new AbortController().signal) };
}

test('a target that answers other requests than that of the guard is not lost', async (t) => {
  const { connection, guard } = await guardedTarget(t);
  const client = connection.client(new AbortController().signal, []);
  let isOver = false;
  const others = (async () => {
    while (!isOver) await client.request({ path: '/other' });
  })();
  t.is(await guard.reasonIfLost('feed-shape', 'The connection broke.'), undefined);
  isOver = true;
  await others;
});

test('a target that does not respond is lost', async (t) => {
  const { server, guard } = await guardedTarget(t);
  await server.stop();
  t.regex(
    (await guard.reasonIfLost('feed-shape', 'The connection broke.'))!,
    /noticed is feed-shape: The conn/,
  );
  t.true(guard.signal.aborted);
});
