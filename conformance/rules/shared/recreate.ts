/** Makes a database anew. */
import { type DatabaseClient, type Exchange, Skip } from '../../kit.js';
import { eventually } from './eventually.js';

/** How long a target may still refuse the name of a database after it has said that the database is deleted, in milliseconds. */
const maxRemovalMs = 5_000;

/**
 * Deletes the database and creates it again.
 *
 * @throws Skip if the target does not let it be made again
 */
export async function recreate(database: DatabaseClient): Promise<void> {
  const mustBeDone = (method: string, { status }: Exchange): void => {
    if (status >= 300)
      throw new Skip(`The target does not let a database be made again: ${method} returns ${status}.`);
  };
  mustBeDone('DELETE', await database.request({ method: 'DELETE', path: '' }));
  const created = await eventually(
    () => database.request({ method: 'PUT', path: '' }),
    // A busy CouchDB says for a moment that the database still exists.
    ({ status }) => status !== 412,
    maxRemovalMs,
  );
  mustBeDone('PUT', created);
}
