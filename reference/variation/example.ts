/** Two consumers that compute the total of the orders in a database: a wrong one and a correct one. */

interface Row {
  readonly id: string;
  readonly deleted?: boolean;
  readonly doc: { readonly amount?: number };
}

/** Yields all rows after `since` in pages, like a consumer that stops and resumes. */
async function* pages(
  database: string,
  headers: Record<string, string>,
  since: unknown = 0,
): AsyncGenerator<Row[]> {
  for (;;) {
    // A sequence can be any JSON value. Send strings unchanged, and other values as JSON.
    const sequence = typeof since === 'string' ? since : JSON.stringify(since);
    const query = new URLSearchParams({ since: sequence, limit: '10', include_docs: 'true' });
    const response = await fetch(`${database}/_changes?${query.toString()}`, { headers });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const { results, last_seq } = (await response.json()) as { results: Row[]; last_seq: unknown };
    if (results.length === 0) return;
    yield results;
    since = last_seq;
  }
}

/** Wrong: it adds up rows, but rows may be repeated after a resume (SERVICE 4.7 rule 4). */
export async function naiveTotal(database: string, headers: Record<string, string>): Promise<number> {
  let total = 0;
  for await (const rows of pages(database, headers)) {
    for (const { deleted, doc } of rows) if (!deleted) total += doc.amount ?? 0;
  }
  return total;
}

/** Correct: it stores the amounts by ID, so a repeated row changes nothing. */
export async function total(database: string, headers: Record<string, string>): Promise<number> {
  const amounts = new Map<string, number>();
  for await (const rows of pages(database, headers)) {
    for (const { id, deleted, doc } of rows) amounts.set(id, deleted ? 0 : (doc.amount ?? 0));
  }
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
}
