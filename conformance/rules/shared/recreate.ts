/** Makes a database anew. */
import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseClient, Skip } from '../../kit.js';

/** How long a target may still refuse the name of a database after it has said that the database is deleted, in milliseconds. */
const maxRemovalMs = 5_000;

/**
 * Deletes the database and creates it again.
 *
 * @throws Skip if the target does not let it be made again
 */
export async function recreate(database: DatabaseClient): Promise<void> {
  const send = async (method: 'DELETE' | 'PUT'): Promise<number> => {
    const { status } = await database.request({ method, path: '' });
    return status;
  };
  const mustBeDone = (method: string, status: number): void => {
    if (status >= 300)
      throw new Skip(`The target does not let a database be made again: ${method} returns ${status}.`);
  };
  mustBeDone('DELETE', await send('DELETE'));
  const end = performance.now() + maxRemovalMs;
  let status = await send('PUT');
  // A busy CouchDB says for a moment that the database still exists.
  while (status === 412 && performance.now() < end) {
    await wait(100);
    status = await send('PUT');
  }
  mustBeDone('PUT', status);
}
