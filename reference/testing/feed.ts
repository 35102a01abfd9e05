/** Helpers for tests of the changes feed. */
import type { ExecutionContext } from 'ava';
import type { TestServer } from './server.js';

export interface Row {
  id: string;
  seq: string;
  changes: { rev: string }[];
  deleted?: boolean;
  doc?: Record<string, unknown>;
}

export interface Feed {
  results: Row[];
  last_seq: string;
  pending: number;
}

export const idsOf = ({ results }: Feed): string[] => results.map(({ id }) => id);

/** Creates a database and returns functions to write and read it. */
export async function createDatabase(t: ExecutionContext, { asAdmin }: TestServer, db: string) {
  await asAdmin('PUT', `/${db}`);
  /** Writes documents and returns their new revisions. */
  const write = async (...docs: object[]) => {
    const { json } = await asAdmin('POST', `/${db}/_bulk_docs`, { docs });
    return (json as { rev: string }[]).map(({ rev }) => rev);
  };
  const replicate = (...docs: object[]) => asAdmin('POST', `/${db}/_bulk_docs`, { docs, new_edits: false });
  /** Uses POST if there is a body. */
  const requestChanges = (query: string, body?: object) =>
    asAdmin(body ? 'POST' : 'GET', `/${db}/_changes?${query}`, body);
  const changes = async (query = '', body?: object) => {
    const { status, json, text } = await requestChanges(query, body);
    t.is(status, 200, text);
    return json as Feed;
  };
  return { write, replicate, requestChanges, changes };
}
