/** Variations of the transport: chunk borders, pauses, and case of header names. */
import { ServerResponse } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Plan } from './plan.js';
import type { Random } from './random.js';

/** Splits a stream at random positions, also within lines and characters, with pauses between the pieces. */
export function splitRandomly(stream: Readable, plan: Plan, random: Random): Readable {
  const splitter: Transform = new Transform({
    // The pieces take time, so a feed must not make heartbeats meanwhile.
    highWaterMark: 1,
    transform(chunk: Buffer, _encoding, done) {
      send(chunk).then(() => done(), done);
    },
  });
  async function send(bytes: Buffer): Promise<void> {
    const cuts = Array.from({ length: plan.pieces - 1 }, () => random.upTo(bytes.length));
    let from = 0;
    for (const to of [...cuts.sort((a, b) => a - b), bytes.length]) {
      if (to > from && !splitter.destroyed) splitter.push(bytes.subarray(from, to));
      from = to;
      if (plan.pauseMs > 0) await pause(random.upTo(plan.pauseMs));
    }
  }
  // An error of the source also destroys `splitter`, so the reader receives it.
  return pipeline(stream, splitter, () => {});
}

/** Changes the case of all header names of a response. */
export function setHeaderCase(style: Plan['headers'], response: ServerResponse): void {
  // Not that of the response itself, which writes the usual names.
  const set: ServerResponse['setHeader'] = ServerResponse.prototype.setHeader.bind(response);
  response.setHeader = (name, value) => set(written(name, style), value);
}

function written(name: string, style: Plan['headers']): string {
  if (style === 'UPPER') return name.toUpperCase();
  return style === 'lower'
    ? name.toLowerCase()
    : name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}
