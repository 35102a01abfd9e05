/** Two consumers that sum up the orders in a database: the obvious one, which is wrong, and its mended form. To be copied. */

interface Row {
  readonly id: string;
  readonly deleted?: boolean;
  readonly doc: { readonly amount?: number };
}

/** All rows from `since` on, page by page, as a consumer gets them that stops and resumes. */
async function* pages(
  database: string,
  headers: Record<string, string>,
  since: unknown = 0,
): AsyncGenerator<Row[]> {
  for (;;) {
    // A sequence is any JSON value: a string is sent back as it is, all else as JSON.
    const place = typeof since === 'string' ? since : JSON.stringify(since);
    const query = new URLSearchParams({ since: place, limit: '10', include_docs: 'true' });
    const response = await fetch(`${database}/_changes?${query.toString()}`, { headers });
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    const { results, last_seq } = (await response.json()) as { results: Row[]; last_seq: unknown };
    if (results.length === 0) return;
    yield results;
    since = last_seq;
  }
}

/** Wrong: adds up rows, and a row may come again after a resume (SERVICE 4.7 rule 4). */
export async function naiveTotal(database: string, headers: Record<string, string>): Promise<number> {
  let total = 0;
  for await (const rows of pages(database, headers)) {
    for (const { deleted, doc } of rows) if (!deleted) total += doc.amount ?? 0;
  }
  return total;
}

/** Right: keeps what it has seen by id, so that the same row twice changes nothing. */
export async function total(database: string, headers: Record<string, string>): Promise<number> {
  const amounts = new Map<string, number>();
  for await (const rows of pages(database, headers)) {
    for (const { id, deleted, doc } of rows) amounts.set(id, deleted ? 0 : (doc.amount ?? 0));
  }
  return [...amounts.values()].reduce((sum, amount) => sum + amount, 0);
}
