/** A client of the kill test that writes. Each acknowledged write goes to a twin as well: an equal server in memory. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import type { Client } from '../client.js';

interface Write {
  readonly method: 'PUT' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

type Reply = Awaited<ReturnType<Client['json']>>;

/** A document with one leaf revision, as `_bulk_get` shows it. */
interface Leaf {
  readonly _rev: string;
  readonly _revisions: { readonly start: number; readonly ids: readonly string[] };
}

export const sharedName = 'shared';

/** Validation function of the shared database. */
export const validation = `function (doc) {
  if (doc.value % 5 === 0) throw { forbidden: 'The value must not be a multiple of five.' };
}`;

const documentNames = ['a', 'b', 'c', 'd', 'e', 'f'];
const localNames = ['x', 'y'];

export class Writer {
  /** Path of the database that the writer creates and deletes. */
  readonly own: string;
  readonly #name: string;
  readonly #twin: Client;
  #hashes = 0;
  /** The write without a response. */
  #pending: Write | undefined;

  constructor(number: number, twin: Client) {
    this.#name = `writer${number}`;
    this.own = `/own-${this.#name}`;
    this.#twin = twin;
  }

  /** The others write other documents to the shared database. */
  id(name: string): string {
    return `${this.#name}-${name}`;
  }

  /** A hash that no revision has yet, because replicating a known revision changes nothing. */
  newHash(): string {
    return createHash('md5')
      .update(this.id(String(this.#hashes++)))
      .digest('hex');
  }

  /** @returns the leaf of each document that an edit changes; undefined for new documents */
  async leaves(path: string, edits: readonly Edit[]): Promise<(Leaf | undefined)[]> {
    const docs = edits.map(({ doc }) => ({ id: this.id(doc) }));
    const { json } = await this.#twin.json('POST', `${path}/_bulk_get?revs=true`, { docs });
    const { results = [] } = json as { results?: { docs: { ok?: Leaf }[] }[] };
    return edits.map(({ leaf }, index) => {
      const found = results[index]?.docs.flatMap(({ ok }) => ok ?? []) ?? [];
      return found[leaf % found.length];
    });
  }

  async localRevision(path: string): Promise<string | undefined> {
    return ((await this.#twin.json('GET', path)).json as { _rev?: string })._rev;
  }

  /** @param send sends a request; undefined if there is no response. @returns the response, after a comparison */
  async write(
    operation: Operation,
    send: (...write: [Write['method'], string, unknown]) => Promise<Reply | undefined>,
  ): Promise<Reply | undefined> {
    const write = await operation(this);
    const { method, path, body } = write;
    const reply = await send(method, path, body);
    if (reply) assert.deepEqual(reply, await this.#twin.json(method, path, body), `${method} ${path}`);
    else this.#pending = write;
    return reply;
  }

  /**
   * Compares the server with the twin. A write without a response may have been stored, as a whole.
   *
   * @returns whether that is the case
   */
  async compare(client: Client): Promise<boolean> {
    const actual = await this.#read(client);
    const pending = this.#pending;
    this.#pending = undefined;
    const isApplied = pending !== undefined && !isDeepStrictEqual(actual, await this.#read(this.#twin));
    if (isApplied) await this.#twin.send(pending.method, pending.path, pending.body);
    assert.deepEqual(actual, await this.#read(this.#twin));
    return isApplied;
  }

  /** Reads everything that this writer can have written. */
  async #read(client: Client): Promise<unknown[]> {
    const docs = documentNames.map((doc) => ({ id: this.id(doc) }));
    const found: unknown[] = [];
    for (const path of [`/${sharedName}`, this.own]) {
      found.push(await client.json('POST', `${path}/_bulk_get?revs=true&attachments=true`, { docs }));
      for (const local of localNames)
        found.push(await client.json('GET', `${path}/_local/${this.id(local)}`));
    }
    found.push(await client.json('GET', `${this.own}/_security`));
    const { json } = await client.json('GET', this.own);
    const { doc_count, doc_del_count, update_seq = '' } = json as Record<string, string>;
    return [...found, doc_count, doc_del_count, parseInt(update_seq)];
  }
}

/** Makes up a write. It may be one that the server must refuse. */
type Operation = (writer: Writer) => Write | Promise<Write>;

interface Edit {
  readonly doc: string;
  /** Index of the leaf to edit, modulo the number of leaves. */
  readonly leaf: number;
  readonly value: number;
  readonly _deleted: boolean;
  readonly _attachments: Readonly<Record<string, object>>;
}

const content = fc
  .tuple(fc.constantFrom(0, 10, 300, 70_000), fc.nat(20))
  .map(([length, byte]) => Buffer.alloc(length, byte));
const edit: fc.Arbitrary<Edit> = fc.record({
  doc: fc.constantFrom(...documentNames),
  leaf: fc.nat(),
  value: fc.nat(),
  _deleted: fc.nat(4).map((one) => one === 0),
  _attachments: fc.oneof(
    fc.constant({}),
    content.map((bytes) => ({ file: { data: bytes.toString('base64') } })),
  ),
});
const edits = fc.uniqueArray(edit, { minLength: 1, maxLength: 4, selector: ({ doc }) => doc });

/** An operation in the shared database or in that of the writer. */
const operationOn = <T>(
  weight: number,
  arbitrary: fc.Arbitrary<T>,
  make: (generated: T, path: string, writer: Writer) => Write | Promise<Write>,
) => ({
  weight,
  arbitrary: fc.tuple(fc.boolean(), arbitrary).map(
    ([isShared, generated]): Operation =>
      (writer) =>
        make(generated, isShared ? `/${sharedName}` : writer.own, writer),
  ),
});

const bulkEdit = operationOn(9, edits, async (edits, path, writer) => {
  const parents = await writer.leaves(path, edits);
  const docs = edits.map(({ doc, leaf, ...members }, index) => ({
    _id: writer.id(doc),
    _rev: parents[index]?._rev,
    ...members,
  }));
  return { method: 'POST', path: `${path}/_bulk_docs`, body: { docs } };
});

/** Writes a revision with `new_edits: false` on top of a leaf or of one of its ancestors. */
const replicate = operationOn(3, fc.tuple(edit, fc.nat(3)), async ([edit, back], path, writer) => {
  const { doc, value, _deleted } = edit;
  const [leaf] = await writer.leaves(path, [edit]);
  const { start, ids } = leaf?._revisions ?? { start: 0, ids: [] };
  const steps = Math.min(back, ids.length);
  const _revisions = { start: start - steps + 1, ids: [writer.newHash(), ...ids.slice(steps)] };
  const docs = [{ _id: writer.id(doc), _revisions, value, _deleted }];
  return { method: 'POST', path: `${path}/_bulk_docs`, body: { new_edits: false, docs } };
});

const attach = operationOn(2, fc.tuple(edit, content), async ([edit, body], path, writer) => {
  const [leaf] = await writer.leaves(path, [edit]);
  const query = leaf ? `?rev=${leaf._rev}` : '';
  return { method: 'PUT', path: `${path}/${writer.id(edit.doc)}/more${query}`, body };
});

const local = fc.tuple(fc.constantFrom(...localNames), fc.nat(), fc.boolean());
const putLocal = operationOn(3, local, async ([name, value, _deleted], database, writer) => {
  const path = `${database}/_local/${writer.id(name)}`;
  return { method: 'PUT', path, body: { _rev: await writer.localRevision(path), value, _deleted } };
});

const ownDatabase = fc
  .constantFrom('PUT', 'PUT', 'DELETE' as const)
  .map((method): Operation => ({ own }) => ({ method, path: own }));
const putSecurity = fc.nat().map((value): Operation => ({ own }) => ({
  method: 'PUT',
  path: `${own}/_security`,
  body: { admins: { names: [String(value)] } },
}));

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  bulkEdit,
  replicate,
  attach,
  putLocal,
  ...[ownDatabase, putSecurity].map((arbitrary) => ({ weight: 1, arbitrary })),
);
