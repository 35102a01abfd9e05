/** A client of the kill test: creates requests, and predicts the state of the server after them. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { basic, sendTo, type Reply } from '../../testing/server.js';
import type { ServerProcess } from '../server-process.js';
import { documentNames, isRejected, localNames, type Edit, type Operation } from './operations.js';

/** A leaf revision. */
interface Leaf {
  readonly start: number;
  readonly ids: readonly string[];
  readonly deleted: boolean;
  readonly value: number | null;
  /** Contents in Base64, by name. */
  readonly attachments: Readonly<Record<string, string>>;
}

/** State of the documents of one client in one database. */
interface DatabaseState {
  docs: Record<string, Leaf[]>;
  locals: Record<string, { rev: string; value: number }>;
  /** Number of changes in the feed. */
  changes: number;
  security: number;
}

/** State of the data of one client. The shared database also has documents of other clients. */
export interface ClientState {
  shared: DatabaseState;
  /** The client creates and deletes its own database. */
  own?: DatabaseState | undefined;
}

/** A request and its effect. */
export interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  /** Applies the effect. `revisionOf` returns the new revision of a document. */
  readonly apply: (state: ClientState, revisionOf: (doc: string) => string) => void;
  readonly database: keyof ClientState;
  /** Documents whose new revision the server generates. */
  readonly edited: readonly string[];
  /** IDs of documents that the validation function must reject. */
  readonly rejected: readonly string[];
}

type StepOf<Kind extends Operation['kind']> = (
  operation: Extract<Operation, { kind: Kind }>,
  state: DatabaseState,
  path: string,
) => (Omit<Step, 'database' | 'rejected'> & Partial<Pick<Step, 'rejected'>>) | undefined;

/** Sends a request as the administrator. */
export const send = (
  { url, admin: { name, password } }: ServerProcess,
  method: string,
  path: string,
  body?: unknown,
  type?: string,
): Promise<Reply> =>
  sendTo(url, method, path, {
    headers: { ...basic(name, password), ...(type !== undefined && { 'content-type': type }) },
    body,
  });

export const sharedName = 'shared';

const emptyState = (): DatabaseState => ({ docs: {}, locals: {}, changes: 0, security: 0 });

const revision = ({ start, ids }: Leaf) => `${start}-${ids[0]}`;

const byRevision = (a: Leaf, b: Leaf) => (revision(a) < revision(b) ? -1 : 1);

function leafOf(state: DatabaseState, { doc, leaf }: Edit): Leaf | undefined {
  const leaves = state.docs[doc] ?? [];
  return leaves[leaf % leaves.length];
}

function childOf(parent: Leaf | undefined, rev: string, content: Omit<Leaf, 'start' | 'ids'>): Leaf {
  const [generation, hash] = rev.split('-');
  return { start: Number(generation), ids: [hash!, ...(parent?.ids ?? [])], ...content };
}

function addLeaf(state: DatabaseState, doc: string, leaf: Leaf, parent: Leaf | undefined): void {
  const rest = (state.docs[doc] ?? []).filter((one) => !parent || revision(one) !== revision(parent));
  state.docs[doc] = [...rest, leaf].sort(byRevision);
  state.changes++;
}

export class Client {
  readonly #name: string;
  readonly #own: string;
  #replicated = 0;
  state: ClientState = { shared: emptyState() };
  /** Request without a response. */
  pending: Step | undefined;

  constructor(number: number) {
    this.#name = `client${number}`;
    this.#own = `own${number}`;
  }

  /** @returns undefined if the operation is impossible in the current state */
  step(operation: Operation): Step | undefined {
    const database = operation.shared ? 'shared' : 'own';
    const state = this.state[database];
    const path = operation.shared ? `/${sharedName}` : `/${this.#own}`;
    const step =
      operation.kind === 'database'
        ? this.#toggleDatabase(path)
        : state && this.#stepIn(operation, state, path);
    return step && { rejected: [], ...step, database };
  }

  #stepIn(operation: Exclude<Operation, { kind: 'database' }>, state: DatabaseState, path: string) {
    switch (operation.kind) {
      case 'edit':
        return this.#edit(operation, state, path);
      case 'replicate':
        return this.#replicate(operation, state, path);
      case 'attach':
        return this.#attach(operation, state, path);
      case 'local':
        return this.#putLocal(operation, state, path);
      case 'security':
        return this.#putSecurity(operation, state, path);
    }
  }

  #toggleDatabase(path: string): Omit<Step, 'database' | 'rejected'> {
    const exists = this.state.own !== undefined;
    return {
      method: exists ? 'DELETE' : 'PUT',
      path,
      apply: (after) => (after.own = exists ? undefined : emptyState()),
      edited: [],
    };
  }

  #edit: StepOf<'edit'> = ({ edits, shared }, state, path) => {
    const parents = edits.map((edit) => leafOf(state, edit));
    const docs = edits.map(({ doc, value, deleted, attachment }, index) => ({
      _id: this.#id(doc),
      ...(parents[index] && { _rev: revision(parents[index]) }),
      value,
      _deleted: deleted,
      ...(attachment !== null && { _attachments: { file: { data: attachment } } }),
    }));
    return {
      method: 'POST',
      path: `${path}/_bulk_docs`,
      body: { docs },
      edited: edits.map(({ doc }) => doc),
      rejected: edits.filter(({ value }) => shared && isRejected(value)).map(({ doc }) => this.#id(doc)),
      apply: (after, revisionOf) => {
        for (const [index, { doc, value, deleted, attachment }] of edits.entries()) {
          if (shared && isRejected(value)) continue;
          const attachments: Leaf['attachments'] = attachment === null ? {} : { file: attachment };
          const leaf = childOf(parents[index], revisionOf(doc), { value, deleted, attachments });
          addLeaf(after[shared ? 'shared' : 'own']!, doc, leaf, parents[index]);
        }
      },
    };
  };

  /** Writes a revision with `new_edits: false` on top of a leaf or of one of its ancestors. */
  #replicate: StepOf<'replicate'> = ({ edit, back, shared }, state, path) => {
    const { doc, value, deleted } = edit;
    const from = leafOf(state, edit);
    const steps = Math.min(back, from ? from.ids.length : 0);
    // Each hash must be new, because replicating a known revision changes nothing.
    const hash = createHash('md5').update(`${this.#name} ${this.#replicated++}`).digest('hex');
    const ids = [hash, ...(from?.ids.slice(steps) ?? [])];
    const start = (from?.start ?? 0) - steps + 1;
    const document = { _id: this.#id(doc), _revisions: { start, ids }, value, _deleted: deleted };
    return {
      method: 'POST',
      path: `${path}/_bulk_docs`,
      body: { new_edits: false, docs: [document] },
      edited: [],
      rejected: shared && isRejected(value) ? [document._id] : [],
      apply: (after) => {
        if (shared && isRejected(value)) return;
        const leaf = { start, ids, value, deleted, attachments: {} };
        addLeaf(after[shared ? 'shared' : 'own']!, doc, leaf, steps === 0 ? from : undefined);
      },
    };
  };

  #attach: StepOf<'attach'> = ({ edit, content, shared }, state, path) => {
    const { doc } = edit;
    const parent = leafOf(state, edit);
    const query = parent ? `?rev=${revision(parent)}` : '';
    return {
      method: 'PUT',
      path: `${path}/${this.#id(doc)}/more${query}`,
      body: Buffer.from(content, 'base64'),
      type: 'text/plain',
      edited: [doc],
      apply: (after, revisionOf) => {
        const attachments = { ...parent?.attachments, more: content };
        const members = { value: parent?.value ?? null, deleted: false, attachments };
        const leaf = childOf(parent, revisionOf(doc), members);
        addLeaf(after[shared ? 'shared' : 'own']!, doc, leaf, parent);
      },
    };
  };

  #putLocal: StepOf<'local'> = ({ name, value, shared }, state, path) => {
    const before = state.locals[name];
    if (!before && value === null) return undefined;
    const rev = `0-${Number(before?.rev.slice(2) ?? 0) + 1}`;
    return {
      method: 'PUT',
      path: `${path}/_local/${this.#id(name)}`,
      body: { ...(before && { _rev: before.rev }), ...(value === null ? { _deleted: true } : { value }) },
      edited: [],
      apply: (after) => {
        const { locals } = after[shared ? 'shared' : 'own']!;
        if (value === null) delete locals[name];
        else locals[name] = { rev, value };
      },
    };
  };

  #putSecurity: StepOf<'security'> = ({ value }, _state, path) => ({
    method: 'PUT',
    path: `${path}/_security`,
    body: { admins: { names: [String(value)] } },
    edited: [],
    apply: (after) => (after.own!.security = value),
  });

  /** Reads the data of this client from the server. */
  async read(server: ServerProcess): Promise<ClientState> {
    const own = await send(server, 'GET', `/${this.#own}`);
    const state: ClientState = { shared: await this.#readDatabase(server, sharedName) };
    if (own.status === 404) return state;
    const { update_seq, doc_count, doc_del_count } = own.json as Record<string, string | number>;
    const database = await this.#readDatabase(server, this.#own);
    const { json } = await send(server, 'GET', `/${this.#own}/_security`);
    const [security] = (json as { admins: { names?: string[] } }).admins.names ?? ['0'];
    state.own = { ...database, changes: parseInt(String(update_seq)), security: Number(security) };
    const documents = Object.values(database.docs);
    const notDeleted = documents.filter((leaves) => leaves.some(({ deleted }) => !deleted)).length;
    assert.deepEqual(
      { doc_count, doc_del_count },
      { doc_count: notDeleted, doc_del_count: documents.length - notDeleted },
    );
    return state;
  }

  async #readDatabase(server: ServerProcess, name: string): Promise<DatabaseState> {
    const state = emptyState();
    const body = { docs: documentNames.map((doc) => ({ id: this.#id(doc) })) };
    const { json } = await send(server, 'POST', `/${name}/_bulk_get?revs=true&attachments=true`, body);
    type Found = { docs: { ok?: Record<string, unknown> }[] };
    for (const [index, { docs: found }] of (json as { results: Found[] }).results.entries()) {
      const leaves = found.flatMap(({ ok }) => (ok ? parseLeaf(ok) : []));
      if (leaves.length > 0) state.docs[documentNames[index]!] = leaves.sort(byRevision);
    }
    for (const local of localNames) {
      const { status, json } = await send(server, 'GET', `/${name}/_local/${this.#id(local)}`);
      const { _rev: rev, value } = json as { _rev: string; value: number };
      if (status === 200) state.locals[local] = { rev, value };
    }
    return state;
  }

  #id(name: string): string {
    return `${this.#name}-${name}`;
  }
}

function parseLeaf(document: Record<string, unknown>): Leaf {
  const { start, ids } = document._revisions as { start: number; ids: string[] };
  const attachments = Object.entries((document._attachments ?? {}) as Record<string, { data: string }>);
  return {
    start,
    ids,
    deleted: document._deleted === true,
    value: (document.value as number | undefined) ?? null,
    attachments: Object.fromEntries(attachments.map(([name, { data }]) => [name, data])),
  };
}

/** Removes the number of changes in the shared database, which only the sum of all clients predicts. */
export const comparable = ({ shared, own }: ClientState): ClientState => ({
  shared: { ...shared, changes: 0 },
  own,
});

/** Finds the revision that a request without a response created. Returns a nonexistent revision if there is none. */
export function newRevision(
  actual: ClientState,
  expected: ClientState,
  { database }: Step,
  doc: string,
): string {
  const known = new Set((expected[database]?.docs[doc] ?? []).map(revision));
  const added = (actual[database]?.docs[doc] ?? []).find((leaf) => !known.has(revision(leaf)));
  return added ? revision(added) : '0-none';
}
