/** What a seed makes a server do, within what the service document allows. */
import { randomOf } from './random.js';
import type { SequenceForm } from './shard-positions.js';

export interface Plan {
  readonly seed: number;
  /** Each document is in one of them; only within a shard changes keep their order (SERVICE 4.7 rule 3). */
  readonly shards: number;
  /** Of each shard. With more than one, a feed that resumes may give rows again (SERVICE 4.7 rule 4). */
  readonly copies: number;
  readonly sequences: SequenceForm;
  /** Greatest number of pieces that a part of a stream is sent in. */
  readonly pieces: number;
  /** Longest pause before an answer or between two pieces, in milliseconds. */
  readonly pauseMs: number;
  readonly headers: 'lower' | 'Title' | 'UPPER';
  /** Whether objects have members that the description does not know. */
  readonly extraMembers: boolean;
  /** Whether filters may be functions of design documents. */
  readonly functions: boolean;
  /** Whether administrators can read and write the configuration. */
  readonly configuration: boolean;
}

export function planOf(seed: number): Plan {
  const random = randomOf(seed, 'plan');
  const shards = random.pick([1, 1, 2, 3, 8]);
  return {
    seed,
    shards,
    copies: random.pick([1, 1, 3]),
    sequences: random.pick(
      shards === 1 ? ['string', 'number', 'array', 'object'] : ['string', 'array', 'object'],
    ),
    pieces: random.pick([1, 2, 5]),
    pauseMs: random.pick([0, 1, 5]),
    headers: random.pick(['lower', 'Title', 'UPPER']),
    extraMembers: random.pick([true, false]),
    functions: random.pick([true, true, true, false]),
    configuration: random.pick([true, true, true, false]),
  };
}

/** The plan in a line, for people. */
export function describePlan(plan: Plan): string {
  const { seed, shards, copies, sequences, pauseMs, headers, functions, configuration } = plan;
  return [
    `variation ${seed}: ${shards} ${shards === 1 ? 'shard' : 'shards'}`,
    ...(copies > 1 ? ['resumed feeds may repeat rows'] : []),
    `sequences are ${sequences}s`,
    `pauses up to ${pauseMs} ms`,
    `${headers} header names`,
    ...(functions ? [] : ['no filter functions']),
    ...(configuration ? [] : ['no configuration endpoints']),
  ].join(', ');
}
