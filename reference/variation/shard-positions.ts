/** Places in the feed of a database of several shards: one position for each (SERVICE 2.6: any JSON value). */
import { createHash } from 'node:crypto';
import type { Database } from '../store/database.js';
import type { Json } from '../store/json.js';

export type SequenceForm = 'string' | 'number' | 'array' | 'object';

/** For each shard the position up to which its changes have been given. */
export type ShardPositions = readonly number[];

/** A document stays in its shard for ever. */
export function shardOf(id: string, shards: number): number {
  return createHash('sha256').update(id).digest().readUInt32LE() % shards;
}

export function formatShardSequence(database: Database, positions: ShardPositions, form: SequenceForm): Json {
  const furthest = Math.max(...positions);
  if (form === 'number') return furthest;
  const shards = positions.map((position) => database.sequenceOf(position));
  if (form === 'object') return { shards, at: furthest };
  if (form === 'array') return [furthest, ...shards];
  return `${furthest}-${Buffer.from(JSON.stringify(shards)).toString('base64url')}`;
}

/** @returns undefined when the text is no sequence of the database */
export function parseShardSequence(
  database: Database,
  text: string,
  shards: number,
): ShardPositions | undefined {
  const sequence = parsed(text) ?? text;
  if (typeof sequence === 'number') {
    const isPlace = shards === 1 && Number.isInteger(sequence) && sequence >= 0;
    if (isPlace && sequence > 0) return sequence <= database.position ? [sequence] : undefined;
  }
  // What the database says of itself, such as its `update_seq`, is one positions in all shards.
  const everywhere = database.positionOf(text);
  if (everywhere !== undefined) return Array<number>(shards).fill(everywhere);
  const places = partsOf(sequence)?.map((part) =>
    typeof part === 'string' ? database.positionOf(part) : undefined,
  );
  return places?.length === shards && places.every((position) => position !== undefined) ? places : undefined;
}

function partsOf(sequence: unknown): unknown[] | undefined {
  if (Array.isArray(sequence)) return (sequence as unknown[]).slice(1);
  if (typeof sequence === 'string') {
    const opaque = /^\d+-(.+)$/.exec(sequence)?.[1] ?? '';
    const parts = parsed(Buffer.from(opaque, 'base64url').toString());
    return Array.isArray(parts) ? (parts as unknown[]) : undefined;
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
