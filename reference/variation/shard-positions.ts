/** Sequences of a database with several shards: one position per shard (SERVICE 2.6: any JSON value). */
import { createHash } from 'node:crypto';
import type { Database } from '../store/database.js';
import type { Json } from '../store/json.js';

export type SequenceForm = 'string' | 'number' | 'array' | 'object' | 'long string' | 'unusual string';

/** Length of the part of a long string that has no meaning. */
const paddingLength = 1500;

/** Follows the part of an unusual string that has a meaning. A URL must escape each of these characters. */
const escaped = '&#%2B%"<>\\^`{|}[]=?/;:,@$!\'()*\u00fc\u{1f600}';

/** For each shard, the position of the last change that was sent. */
export type ShardPositions = readonly number[];

/** Returns the shard of a document, which never changes. */
export function shardOf(id: string, shards: number): number {
  return createHash('sha256').update(id).digest().readUInt32LE() % shards;
}

export function formatShardSequence(database: Database, positions: ShardPositions, form: SequenceForm): Json {
  const latest = Math.max(...positions);
  if (form === 'number') return latest;
  if (form === 'unusual string') {
    // Of two neighbours, the first one has a plus sign: a client that does not escape it asks for what follows the second one.
    return `${Math.ceil(latest / 2)}${latest % 2 === 1 ? '+' : ' '}${escaped}`;
  }
  const shards = positions.map((position) => database.sequenceOf(position));
  if (form === 'object') return { shards, at: latest };
  if (form === 'array') return [latest, ...shards];
  const opaque = Buffer.from(JSON.stringify(shards)).toString('base64url');
  // Starts with a letter, so that nothing in it is a number.
  if (form === 'long string') return `g${'0'.repeat(paddingLength)}.${opaque}`;
  return `${latest}-${opaque}`;
}

/** @returns undefined if the text is not a sequence of the database */
export function parseShardSequence(
  database: Database,
  text: string,
  shards: number,
): ShardPositions | undefined {
  const sequence = parsed(text) ?? text;
  if (typeof sequence === 'number') {
    const isPosition = shards === 1 && Number.isInteger(sequence) && sequence >= 0;
    if (isPosition && sequence > 0) return [database.orStart(sequence)];
  }
  const [, pair, mark] = /^(\d+)([+ ])/.exec(text) ?? [];
  if (pair !== undefined && shards === 1) {
    return [database.orStart(2 * Number(pair) - (mark === '+' ? 1 : 0))];
  }
  // Sequences from other responses, such as `update_seq`, are one position for all shards.
  const common = database.positionOf(text);
  if (common !== undefined) return Array<number>(shards).fill(common);
  const positions = elementsOf(sequence)?.map((part) =>
    typeof part === 'string' ? database.positionOf(part) : undefined,
  );
  return positions?.length === shards && positions.every((position) => position !== undefined)
    ? positions
    : undefined;
}

function elementsOf(sequence: unknown): unknown[] | undefined {
  if (Array.isArray(sequence)) return (sequence as unknown[]).slice(1);
  if (typeof sequence === 'string') {
    const opaque = /^(?:\d+-|g0+\.)(.+)$/.exec(sequence)?.[1] ?? '';
    const elements = parsed(Buffer.from(opaque, 'base64url').toString());
    return Array.isArray(elements) ? (elements as unknown[]) : undefined;
  }
  const { shards } = (sequence ?? {}) as { shards?: unknown };
  return Array.isArray(shards) ? shards : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
