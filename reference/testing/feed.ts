/** A database of a test server, written to and read through its changes feed. */
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

/** Makes the database. */
export async function createDatabase(t: ExecutionContext, { asAdmin }: TestServer, db: string) {
  await asAdmin('PUT', `/${db}`);
  /** Resolves to the new revisions. */
  const write = async (...docs: object[]) => {
    const { json } = await asAdmin('POST', `/${db}/_bulk_docs`, { docs });
    return (json as { rev: string }[]).map(({ rev }) => rev);
  };
  const graft = (...docs: object[]) => asAdmin('POST', `/${db}/_bulk_docs`, { docs, new_edits: false });
  /** With a body by POST. */
  const ask = (query: string, body?: object) =>
    asAdmin(body ? 'POST' : 'GET', `/${db}/_changes?${query}`, body);
  const changes = async (query = '', body?: object) => {
    const { status, json, text } = await ask(query, body);
    t.is(status, 200, text);
    return json as Feed;
  };
  return { write, graft, ask, changes };
}
