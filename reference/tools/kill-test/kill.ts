/**
 * Kills a server at random moments while several clients write, starts it again on the same data, and compares what
 * it has with what it had acknowledged. A write without an answer may have happened or not, as a whole.
 */
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { request } from 'undici';
import { basic } from '../../testing/server.js';

export interface KillOptions {
  /** What node runs: its arguments up to `docfeed`. */
  readonly program: readonly string[];
  readonly directory: string;
  readonly rounds: number;
  readonly seed: number;
}

export interface KillSummary {
  acknowledged: number;
  /** Without an answer; those that had happened all the same. */
  unanswered: number;
  applied: number;
  /** Rows that a feed had shown before a kill. */
  shown: number;
  /** Starts that found a write that was not complete. */
  incomplete: number;
}

/** A revision that no other was made from. */
interface Leaf {
  readonly start: number;
  readonly ids: readonly string[];
  readonly deleted: boolean;
  readonly value: number | null;
  /** Content in Base64 by name. */
  readonly attachments: Readonly<Record<string, string>>;
}

/** What one client has in one database. */
interface Part {
  docs: Record<string, Leaf[]>;
  locals: Record<string, { rev: string; value: number }>;
  /** What the feed counts. */
  changes: number;
  security: number;
}

/** What a client has written: its part of the database that all share, and a database of its own at times. */
interface Model {
  shared: Part;
  own?: Part | undefined;
}

interface Edit {
  doc: string;
  /** Which of the leaves, modulo their number. */
  leaf: number;
  value: number;
  deleted: boolean;
  attachment: string | null;
}

type Operation = { shared: boolean } & (
  | { kind: 'edit'; edits: Edit[] }
  | { kind: 'graft'; edit: Edit; back: number }
  | { kind: 'attach'; edit: Edit; content: string }
  | { kind: 'local'; name: string; value: number | null }
  | { kind: 'security'; value: number }
  | { kind: 'database' }
);

const clients = 4;
const sharedName = 'shared';
const docs = ['a', 'b', 'c', 'd', 'e', 'f'];
const locals = ['x', 'y'];

const base64 = fc
  .tuple(fc.constantFrom(0, 10, 300, 70_000), fc.nat(20))
  .map(([length, byte]) => Buffer.alloc(length, byte).toString('base64'));
const edit: fc.Arbitrary<Edit> = fc.record({
  doc: fc.constantFrom(...docs),
  leaf: fc.nat(),
  value: fc.nat(),
  deleted: fc.nat(4).map((one) => one === 0),
  attachment: fc.option(base64),
});
const edits = fc.uniqueArray(edit, { minLength: 1, maxLength: 4, selector: ({ doc }) => doc });
const kind = <Name extends string>(name: Name) => fc.constant(name);
const never = fc.constant(false);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ shared: fc.boolean(), kind: kind('edit'), edits }) },
  {
    weight: 3,
    arbitrary: fc.record({ shared: fc.boolean(), kind: kind('graft'), edit, back: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ shared: fc.boolean(), kind: kind('attach'), edit, content: base64 }) },
  {
    weight: 3,
    arbitrary: fc.record({
      shared: fc.boolean(),
      kind: kind('local'),
      name: fc.constantFrom(...locals),
      value: fc.option(fc.nat()),
    }),
  },
  { weight: 1, arbitrary: fc.record({ shared: never, kind: kind('security'), value: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ shared: never, kind: kind('database') }) },
);

/** What a client sends, and what it means once it has happened. */
interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly type?: string;
  /** @param revisionOf the new revision of a document */
  readonly apply: (model: Model, revisionOf: (doc: string) => string) => void;
  readonly place: keyof Model;
  /** Documents that get a revision which the server makes. */
  readonly edited: readonly string[];
}

const nothing = (): Part => ({ docs: {}, locals: {}, changes: 0, security: 0 });

const revision = ({ start, ids }: Leaf) => `${start}-${ids[0]}`;

class Client {
  readonly #name: string;
  readonly #own: string;
  #grafts = 0;
  model: Model = { shared: nothing() };
  /** Has no answer. */
  pending: Step | undefined;

  constructor(number: number) {
    this.#name = `client${number}`;
    this.#own = `own${number}`;
  }

  /** @returns undefined when there is no database to do it in */
  step(operation: Operation): Step | undefined {
    const { model } = this;
    const place = operation.shared ? 'shared' : 'own';
    const part = model[place];
    const path = operation.shared ? `/${sharedName}` : `/${this.#own}`;
    if (operation.kind === 'database') {
      const apply = (model: Model) => (model.own = part ? undefined : nothing());
      return { method: part ? 'DELETE' : 'PUT', path, place, apply, edited: [] };
    }
    if (!part) return undefined;
    const leafOf = ({ doc, leaf }: Edit) => {
      const leaves = part.docs[doc] ?? [];
      return leaves[leaf % leaves.length];
    };
    const grow = (model: Model, doc: string, leaf: Leaf, parent: Leaf | undefined) => {
      const part = model[place]!;
      const rest = (part.docs[doc] ?? []).filter((one) => !parent || revision(one) !== revision(parent));
      part.docs[doc] = [...rest, leaf].sort((a, b) => (revision(a) < revision(b) ? -1 : 1));
      part.changes++;
    };
    const child = (
      parent: Leaf | undefined,
      revision: string,
      content: Omit<Leaf, 'start' | 'ids'>,
    ): Leaf => {
      const [generation, hash] = revision.split('-');
      return { start: Number(generation), ids: [hash!, ...(parent?.ids ?? [])], ...content };
    };

    switch (operation.kind) {
      case 'edit': {
        const parents = operation.edits.map(leafOf);
        const body = operation.edits.map(({ doc, value, deleted, attachment }, index) => ({
          _id: this.#id(doc),
          ...(parents[index] && { _rev: revision(parents[index]) }),
          value,
          _deleted: deleted,
          ...(attachment !== null && { _attachments: { file: { data: attachment } } }),
        }));
        return {
          method: 'POST',
          path: `${path}/_bulk_docs`,
          place,
          body: { docs: body },
          edited: operation.edits.map(({ doc }) => doc),
          apply: (model, revisionOf) => {
            for (const [index, { doc, value, deleted, attachment }] of operation.edits.entries()) {
              const attachments: Leaf['attachments'] = attachment === null ? {} : { file: attachment };
              const leaf = child(parents[index], revisionOf(doc), { value, deleted, attachments });
              grow(model, doc, leaf, parents[index]);
            }
          },
        };
      }
      case 'graft': {
        const { doc, value, deleted } = operation.edit;
        const from = leafOf(operation.edit);
        const back = Math.min(operation.back, from ? from.ids.length : 0);
        // A revision that is there already would be no write: each is a new one.
        const hash = createHash('md5').update(`${this.#name} ${this.#grafts++}`).digest('hex');
        const ids = [hash, ...(from?.ids.slice(back) ?? [])];
        const start = (from?.start ?? 0) - back + 1;
        const document = { _id: this.#id(doc), _revisions: { start, ids }, value, _deleted: deleted };
        return {
          method: 'POST',
          path: `${path}/_bulk_docs`,
          place,
          body: { new_edits: false, docs: [document] },
          edited: [],
          apply: (model) => {
            const leaf = { start, ids, value, deleted, attachments: {} };
            grow(model, doc, leaf, back === 0 ? from : undefined);
          },
        };
      }
      case 'attach': {
        const { doc } = operation.edit;
        const parent = leafOf(operation.edit);
        const query = parent ? `?rev=${revision(parent)}` : '';
        return {
          method: 'PUT',
          path: `${path}/${this.#id(doc)}/more${query}`,
          place,
          body: Buffer.from(operation.content, 'base64'),
          type: 'text/plain',
          edited: [doc],
          apply: (model, revisionOf) => {
            const attachments = { ...parent?.attachments, more: operation.content };
            const content = { value: parent?.value ?? null, deleted: false, attachments };
            grow(model, doc, child(parent, revisionOf(doc), content), parent);
          },
        };
      }
      case 'local': {
        const { name, value } = operation;
        const before = part.locals[name];
        if (!before && value === null) return undefined;
        const rev = `0-${Number(before?.rev.slice(2) ?? 0) + 1}`;
        return {
          method: 'PUT',
          path: `${path}/_local/${this.#id(name)}`,
          place,
          body: { ...(before && { _rev: before.rev }), ...(value === null ? { _deleted: true } : { value }) },
          edited: [],
          apply: (model) => {
            if (value === null) delete model[place]!.locals[name];
            else model[place]!.locals[name] = { rev, value };
          },
        };
      }
      case 'security':
        return {
          method: 'PUT',
          path: `${path}/_security`,
          place,
          body: { admins: { names: [String(operation.value)] } },
          edited: [],
          apply: (model) => (model.own!.security = operation.value),
        };
    }
  }

  /** What the server has of what this client has written. */
  async read(server: Server): Promise<Model> {
    const own = await server.send('GET', `/${this.#own}`);
    const model: Model = { shared: await this.#readPart(server, sharedName) };
    if (own.status === 404) return model;
    const { update_seq, doc_count, doc_del_count } = own.json as Record<string, string | number>;
    const part = await this.#readPart(server, this.#own);
    const { json } = await server.send('GET', `/${this.#own}/_security`);
    const [security] = (json as { admins: { names?: string[] } }).admins.names ?? ['0'];
    model.own = { ...part, changes: parseInt(String(update_seq)), security: Number(security) };
    const all = Object.values(part.docs);
    const alive = all.filter((leaves) => leaves.some(({ deleted }) => !deleted));
    assert.deepEqual(
      { doc_count, doc_del_count },
      { doc_count: alive.length, doc_del_count: all.length - alive.length },
    );
    return model;
  }

  async #readPart(server: Server, database: string): Promise<Part> {
    const part = nothing();
    const asked = { docs: docs.map((doc) => ({ id: this.#id(doc) })) };
    const { json } = await server.send('POST', `/${database}/_bulk_get?revs=true&attachments=true`, asked);
    type Found = { docs: { ok?: Record<string, unknown> }[] };
    for (const [index, { docs: found }] of (json as { results: Found[] }).results.entries()) {
      const leaves = found.flatMap(({ ok }) => (ok ? leafOfDocument(ok) : []));
      if (leaves.length > 0)
        part.docs[docs[index]!] = leaves.sort((a, b) => (revision(a) < revision(b) ? -1 : 1));
    }
    for (const name of locals) {
      const { status, json } = await server.send('GET', `/${database}/_local/${this.#id(name)}`);
      const { _rev: rev, value } = json as { _rev: string; value: number };
      if (status === 200) part.locals[name] = { rev, value };
    }
    return part;
  }

  #id(name: string): string {
    return `${this.#name}-${name}`;
  }
}

function leafOfDocument(document: Record<string, unknown>): Leaf {
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

/** That the sequences of the shared database are right is seen in the sum of all clients. */
const comparable = ({ shared, own }: Model): Model => ({ shared: { ...shared, changes: 0 }, own });

/** The revision that a write without an answer has made; one that there is not when it has not. */
function newRevision(actual: Model, model: Model, { place }: Step, doc: string): string {
  const known = new Set((model[place]?.docs[doc] ?? []).map(revision));
  const made = (actual[place]?.docs[doc] ?? []).find((leaf) => !known.has(revision(leaf)));
  return made ? revision(made) : '0-none';
}

/** The last line before a kill may be cut off. */
function parsed(line: string): Row | undefined {
  try {
    return JSON.parse(line) as Row;
  } catch {
    return undefined;
  }
}

interface Row {
  seq: string;
  id: string;
  changes: { rev: string }[];
}

const positionOf = ({ seq }: Row) => parseInt(seq);

/** A running server and what it prints. */
class Server {
  readonly child: ChildProcess;
  readonly url: string;
  readonly output: () => string;

  private constructor(child: ChildProcess, url: string, output: () => string) {
    this.child = child;
    this.url = url;
    this.output = output;
  }

  /** @param killAfter milliseconds after which it is killed, maybe before it listens: then undefined is returned */
  static async start(
    program: readonly string[],
    args: readonly string[],
    killAfter?: number,
  ): Promise<Server | undefined> {
    const child = spawn(
      process.execPath,
      [...program, 'serve', '--port=0', '--admin=admin:secret', ...args],
      {
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
    const timer = killAfter === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    const exited = once(child, 'exit') as Promise<[number | null, string | null]>;
    const line = once(createInterface(child.stdout), 'line') as Promise<[string]>;
    const started = await Promise.race([line, exited]);
    if (typeof started[0] === 'string')
      return new Server(child, started[0].replace('listening on ', ''), () => output);
    clearTimeout(timer);
    assert.equal(started[1], 'SIGKILL', `The server did not start: ${output}`);
    return undefined;
  }

  async send(method: string, path: string, body?: unknown, type = 'application/json') {
    const { statusCode: status, body: answer } = await request(this.url + path, {
      method,
      headers: { ...basic('admin', 'secret'), ...(body !== undefined && { 'content-type': type }) },
      body: body === undefined || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    });
    return { status, json: await answer.json() };
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    const ended = this.child.exitCode !== null || this.child.signalCode !== null || once(this.child, 'exit');
    this.child.kill(signal);
    await ended;
  }
}

/** @throws AssertionError when something that was acknowledged or shown is no more, or the server does not start */
export async function killRounds({ program, directory, rounds, seed }: KillOptions): Promise<KillSummary> {
  const summary = { acknowledged: 0, unanswered: 0, applied: 0, shown: 0, incomplete: 0 };
  const all = Array.from({ length: clients }, (_, number) => new Client(number));
  const shown = new Map<string, Row>();
  let last: string | undefined;
  const answer = new EventEmitter<{ given: [] }>();
  const plans = fc.sample(
    fc.record({
      // So many answers, and then so many milliseconds.
      answers: fc.integer({ min: 1, max: 150 }),
      more: fc.nat(20),
      // Small journals are compacted all the time, so that the kill falls into that.
      journalBytes: fc.constantFrom(1000, 20_000, 16 * 1024 * 1024),
      killedAtStart: fc.option(fc.integer({ min: 0, max: 1500 }), { freq: 5 }),
    }),
    { seed, numRuns: rounds },
  );

  for (const [round, { answers, more, journalBytes, killedAtStart }] of plans.entries()) {
    const args = [`--data=${directory}`, `--journal-bytes=${journalBytes}`];
    if (killedAtStart !== null && round > 0)
      await (await Server.start(program, args, killedAtStart))?.end('SIGKILL');
    const server = (await Server.start(program, args))!;
    try {
      if (round === 0) await server.send('PUT', `/${sharedName}`);
      await compare(server);
      // A client never gets a seed twice: it would graft a revision that it has already.
      const first = seed + round * clients;
      const work = [follow(server), ...all.map((client, number) => write(server, client, first + number))];
      const done = Promise.all(work);
      await Promise.race([answered(answers), done]);
      await delay(more);
      await server.end('SIGKILL');
      await done;
    } finally {
      await server.end('SIGKILL');
    }
    if (server.output().includes('not completed')) summary.incomplete++;
  }
  const server = (await Server.start(program, [`--data=${directory}`]))!;
  await compare(server).finally(() => server.end('SIGKILL'));
  summary.shown = shown.size;
  return summary;

  async function write(server: Server, client: Client, seed: number): Promise<void> {
    for (const next of fc.sample(operation, { seed, numRuns: 500 })) {
      const step = client.step(next);
      if (!step) continue;
      let given;
      try {
        given = await server.send(step.method, step.path, step.body, step.type);
      } catch {
        client.pending = step;
        summary.unanswered++;
        return;
      }
      assert.ok(given.status < 300, `${step.method} ${step.path}: ${JSON.stringify(given)}`);
      const results = [given.json].flat() as { rev: string }[];
      step.apply(client.model, (doc) => results[step.edited.indexOf(doc)]!.rev);
      summary.acknowledged++;
      answer.emit('given');
    }
  }

  async function answered(count: number): Promise<void> {
    for (let left = count; left > 0; left--) await once(answer, 'given');
  }

  /** Reads the feed on from what it has shown before. */
  async function follow(server: Server): Promise<void> {
    const since = last === undefined ? '' : `&since=${last}`;
    const query = `feed=continuous&heartbeat=10000&style=all_docs${since}`;
    const sent = request(`${server.url}/${sharedName}/_changes?${query}`, {
      headers: basic('admin', 'secret'),
    });
    // It may be killed before it answers.
    const response = await sent.catch(() => undefined);
    if (!response) return;
    assert.equal(response.statusCode, 200);
    try {
      for await (const line of createInterface(response.body)) {
        const row = parsed(line);
        if (!row) continue;
        shown.set(row.id, row);
        last = row.seq;
      }
    } catch {
      // The kill.
    }
  }

  async function compare(server: Server): Promise<void> {
    for (const client of all) {
      const actual = await client.read(server);
      const { pending, model } = client;
      client.pending = undefined;
      if (pending && !isDeepStrictEqual(comparable(actual), comparable(model))) {
        pending.apply(model, (doc) => newRevision(actual, model, pending, doc));
        summary.applied++;
      }
      assert.deepEqual(comparable(actual), comparable(model));
    }
    const { json } = await server.send('GET', `/${sharedName}/_changes?style=all_docs`);
    const { results, last_seq } = json as { results: Row[]; last_seq: string };
    assert.equal(
      parseInt(last_seq),
      all.reduce((sum, { model }) => sum + model.shared.changes, 0),
    );
    const rows = new Map(results.map((row) => [row.id, row]));
    for (const row of shown.values()) {
      const now = rows.get(row.id)!;
      assert.ok(
        positionOf(now) >= positionOf(row),
        `${JSON.stringify(row)} was shown, now ${JSON.stringify(now)}`,
      );
      if (positionOf(now) === positionOf(row)) assert.deepEqual(now, row);
    }
  }
}
