/** How bytes travel: a client must not rely on where pieces begin, when they come, or how header names are written. */
import type { ServerResponse } from 'node:http';
import { pipeline, Readable, Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Plan } from './plan.js';
import type { Random } from './random.js';

/** The same bytes, cut anywhere (inside of lines and characters too), with pauses between the pieces. */
export function inPieces(stream: Readable, plan: Plan, random: Random): Readable {
  const cutting: Transform = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      send(chunk).then(() => done(), done);
    },
  });
  async function send(bytes: Buffer): Promise<void> {
    const cuts = Array.from({ length: plan.pieces - 1 }, () => random.upTo(bytes.length));
    let from = 0;
    for (const to of [...cuts.sort((a, b) => a - b), bytes.length]) {
      if (to > from && !cutting.destroyed) cutting.push(bytes.subarray(from, to));
      from = to;
      if (plan.pauseMs > 0) await pause(random.upTo(plan.pauseMs));
    }
  }
  // An error of the source ends both; whoever reads learns of it.
  return pipeline(stream, cutting, () => {});
}

/** Header names as the plan writes them, whatever sets them. */
export function writeHeadersAs(style: Plan['headers'], response: ServerResponse): void {
  const set = response.setHeader.bind(response);
  response.setHeader = (name, value) => set(written(name, style), value);
}

function written(name: string, style: Plan['headers']): string {
  if (style === 'UPPER') return name.toUpperCase();
  return style === 'lower'
    ? name.toLowerCase()
    : name.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase());
}
