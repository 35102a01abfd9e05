/** Probes whether the target keeps what a client writes with a deletion. The service document does not say so. */
import { asObject, parseJson } from '../../http/parse-json.js';
import type { HttpClient } from '../../http/client.js';
import type { ProbeInput } from './capabilities.js';

/** @returns true only if the target accepts a deletion with a body and shows it without one when it is read. */
export async function dropsDeletedBodies(
  client: HttpClient,
  database: ProbeInput['database'],
): Promise<boolean> {
  if (!('path' in database)) return false;
  const write = async (document: object): Promise<unknown> => {
    const { status, text } = await client.request({
      method: 'POST',
      path: `${database.path}/_bulk_docs`,
      json: { docs: [{ _id: 'deletion', value: 1, ...document }] },
      as: 'admin',
    });
    const [result] = Object.values(asObject(parseJson(text)));
    return status < 300 ? asObject(result)['rev'] : undefined;
  };
  const first = await write({});
  const deletion = typeof first === 'string' ? await write({ _rev: first, _deleted: true }) : undefined;
  if (typeof deletion !== 'string') return false;
  const read = { path: `${database.path}/deletion`, query: { rev: deletion }, as: 'admin' } as const;
  const { status, text } = await client.request(read);
  const stored = asObject(parseJson(text));
  return status === 200 && stored['_deleted'] === true && !('value' in stored);
}
