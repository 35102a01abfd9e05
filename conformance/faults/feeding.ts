/** Ways to make the changes feed wrong, that many faults share. */
import { json } from 'node:stream/consumers';
import type { Readable } from 'node:stream';
import type { Components } from '../../reference/index.js';
import type { Answer, Context } from './replacing.js';

export type Replace = (parts: Components) => Components;

type Handlers = Components['handlers'];
type Request = Parameters<Handlers['getChanges']>[0];
export type Query = Request['query'];

export interface FeedBody {
  results: FeedRow[];
  last_seq: unknown;
  pending: number;
}

export interface FeedRow {
  id: string;
  seq: unknown;
  changes: { rev: string }[];
  deleted?: boolean;
  doc?: Record<string, unknown>;
}

export interface Asked {
  readonly method: 'GET' | 'POST';
  readonly query: Query;
  /** Of a POST. */
  readonly body?: Parameters<Handlers['postChanges']>[0]['body'];
  readonly context: Context;
  /** What the server without the fault answers, to the same request or to one that is changed like this. */
  readonly read: (change?: Partial<Query>) => Promise<FeedBody>;
}

type HandleFeed = (request: Request, context: Context) => Promise<Answer>;

/** Replaces what answers requests to the feed, by GET and by POST. */
export function handlingFeeds(replace: (handle: HandleFeed, method: 'GET' | 'POST') => HandleFeed): Replace {
  return (parts) => {
    const { getChanges, postChanges } = parts.handlers as unknown as Record<string, HandleFeed>;
    const handlers = {
      ...parts.handlers,
      getChanges: replace(getChanges!, 'GET'),
      postChanges: replace(postChanges!, 'POST'),
    };
    return { ...parts, handlers: handlers as unknown as Handlers };
  };
}

/** Answers requests to the feed in another way. What it answers may be anything but a feed. */
export function feeding(answer: (asked: Asked) => Promise<unknown>): Replace {
  return handlingFeeds((handle, method) => async (request, context) => {
    const { query } = request;
    const body = request.body as Asked['body'] | null;
    const asked: Asked = {
      method,
      query,
      ...(body && { body }),
      context,
      async read(change = {}) {
        const { body } = await handle({ ...request, query: { ...query, ...change } }, context);
        return (await json(body as Readable)) as FeedBody;
      },
    };
    return { status: 200, body: await answer(asked) };
  });
}

type RenderRow = Components['renderRow'];
type Rendered = Parameters<RenderRow>;

/** Renders rows in another way; `row` is what the server without the fault gives. */
export function rendering(
  change: (row: FeedRow, document: Rendered[1], options: Rendered[2], database: Rendered[0]) => unknown,
): Replace {
  return (parts) => ({
    ...parts,
    renderRow: (database, document, options) => {
      const row = parts.renderRow(database, document, options) as FeedRow;
      return change(row, document, options, database) as ReturnType<RenderRow>;
    },
  });
}

export interface Leaf {
  generation: number;
  hash: string;
  deleted: boolean;
}

/** Lets another leaf win: the first when they are sorted by this. */
export function winning(byRank: (a: Leaf, b: Leaf) => number): Replace {
  return (parts) => ({
    ...parts,
    winningRevision(tree) {
      const [best] = tree.flatMap(({ pos, ids }) => [...leavesOf(pos, ids)]).sort(byRank);
      return `${best!.generation}-${best!.hash}`;
    },
  });
}

type Node = Parameters<Components['winningRevision']>[0][number]['ids'];

function* leavesOf(generation: number, [hash, { deleted }, children]: Node): Generator<Leaf> {
  if (children.length === 0) yield { generation, hash, deleted: deleted === true };
  for (const child of children) yield* leavesOf(generation + 1, child);
}

/** The position that a seq of the server names. */
export function positionOf(seq: unknown): number {
  return Number.parseInt(String(seq), 10);
}
