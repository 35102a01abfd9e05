/** The behaviour that a seed selects. */
import { randomOf } from './random.js';
import { isOlder } from './older-version.js';
import type { SequenceForm } from './shard-positions.js';

export interface Plan {
  readonly seed: number;
  /** Number of shards. Changes are only ordered within a shard (SERVICE 4.7 rule 3). */
  readonly shards: number;
  /** Copies of each shard. With several copies, a resumed feed may repeat rows (SERVICE 4.7 rule 4). */
  readonly copies: number;
  readonly sequences: SequenceForm;
  /** Maximum number of pieces that a chunk of a stream is split into. */
  readonly pieces: number;
  /** Maximum pause before a response or between two pieces, in milliseconds. */
  readonly pauseMs: number;
  readonly headers: 'lower' | 'Title' | 'UPPER';
  /** Whether objects have members that the description does not have. */
  readonly extraMembers: boolean;
  /** Whether filter functions are supported. */
  readonly functions: boolean;
  /** Whether the configuration endpoints exist. */
  readonly configuration: boolean;
  /** Whether another leaf revision wins than in CouchDB: the service document does not say which one does. */
  readonly hasOtherWinner: boolean;
  /** Whether other requests see each document of a bulk write as soon as it is written, and before the next one. */
  readonly splitsBulkWrites: boolean;
}

/** A server without any variation. */
const plain: Plan = {
  seed: 0,
  shards: 1,
  copies: 1,
  sequences: 'string',
  pieces: 1,
  pauseMs: 0,
  headers: 'Title',
  extraMembers: false,
  functions: true,
  configuration: true,
  hasOtherWinner: false,
  splitsBulkWrites: false,
};

/** A plan that varies only what is given. */
export const planWith = (variation: Partial<Plan>): Plan => ({ ...plain, ...variation });

/** @param serviceVersion Default: the latest version of the service. */
export function planOf(seed: number, serviceVersion?: string): Plan {
  const random = randomOf(seed, 'plan');
  const shards = random.pick([1, 1, 2, 3, 8]);
  const copies = random.pick([1, 1, 3]);
  const plan: Plan = {
    seed,
    shards,
    copies,
    sequences: random.pick(
      shards === 1 ? ['string', 'number', 'array', 'object'] : ['string', 'array', 'object'],
    ),
    pieces: random.pick([1, 2, 5]),
    pauseMs: random.pick([0, 1, 5]),
    headers: random.pick(['lower', 'Title', 'UPPER']),
    extraMembers: random.pick([true, false]),
    functions: random.pick([true, true, true, false]),
    configuration: random.pick([true, true, true, false]),
    // A copy may show an earlier winner, so the suite cannot ask a target with several copies for it.
    hasOtherWinner: copies === 1 && random.pick([true, false, false]),
    splitsBulkWrites: random.pick([true, false]),
  };
  // Before this version, sequences are numbers, which cannot represent several shards.
  const hasOnlyNumbers = serviceVersion !== undefined && isOlder(serviceVersion, '2.0.0');
  return hasOnlyNumbers ? { ...plan, shards: 1, copies: 1, sequences: 'number' } : plan;
}

/** Describes a plan in one line. */
export function describePlan(plan: Plan): string {
  const {
    seed,
    shards,
    copies,
    sequences,
    pauseMs,
    headers,
    functions,
    configuration,
    hasOtherWinner,
    splitsBulkWrites,
  } = plan;
  return [
    `variation ${seed}: ${shards} ${shards === 1 ? 'shard' : 'shards'}`,
    ...(copies > 1 ? ['resumed feeds may repeat rows'] : []),
    `sequences are ${sequences}s`,
    `pauses up to ${pauseMs} ms`,
    `${headers} header names`,
    ...(functions ? [] : ['no filter functions']),
    ...(configuration ? [] : ['no configuration endpoints']),
    ...(hasOtherWinner ? ['the lowest revision wins'] : []),
    ...(splitsBulkWrites ? ['feeds see bulk writes document by document'] : []),
  ].join(', ');
}
