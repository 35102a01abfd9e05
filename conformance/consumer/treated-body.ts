/** Treats the body of a response as a scenario says, and finds the rows in it. The server sends each row in a line. */
import { setTimeout as pause } from 'node:timers/promises';
import { asObject, parseJson } from '../http/parse-json.js';
import { type Line, LineReader } from '../http/stream-readers.js';
import type { Treatment } from './scenario.js';

/** Chunks of a response. */
type Body = AsyncIterable<Buffer>;

const eventField = /^(data|event|id): /;

/** Long enough for a consumer to see two pieces, unless the machine is very busy. */
const pieceMs = 100;

/**
 * Does to a body what the treatment says. It ends with an error where the connection breaks.
 *
 * @param spend is called where the connection breaks or falls silent.
 */
export async function* treated(
  body: Body,
  treatment: Treatment | undefined,
  spend: () => void,
): AsyncGenerator<Buffer> {
  const { cut, silence, emptyLines, pieces, otherEnd, reversesLeaves } = treatment ?? {};
  if (!cut && !silence && !emptyLines && !pieces && !otherEnd && !reversesLeaves) {
    yield* body;
    return;
  }
  let rows = 0;
  for await (const { bytes: sent, ending } of linesOf(body)) {
    const isRow = sent.includes('"changes":');
    const line = isRow && reversesLeaves ? withLeavesReversed(sent) : sent;
    if (isRow && (cut ?? silence)?.rows === rows) {
      spend();
      if (cut?.inside) yield line.subarray(0, line.length / 2);
      // Long enough for what was sent to arrive before the connection breaks.
      await pause(20);
      if (cut) throw new Error('The connection breaks here.');
      await new Promise(() => {});
    }
    if (isRow) rows += 1;
    const end = isRow && pieces ? insideOf(line) : 0;
    if (end > 0) {
      yield line.subarray(0, end);
      await pause(pieceMs);
    }
    yield otherEnd && !isRow && line.includes('{"last_seq":') ? withOtherEnd(line) : line.subarray(end);
    // In an event stream, an empty line would end an event before all its fields are sent.
    if (emptyLines && ending !== '' && !eventField.test(line.toString())) yield Buffer.from('\n');
  }
}

function withOtherEnd(line: Buffer): Buffer {
  const members = Object.entries(asObject(parseJson(line.toString())));
  const texts = members.map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`);
  return Buffer.from(`{ ${texts.reverse().join(', ')} }\r\n`);
}

function withLeavesReversed(line: Buffer): Buffer {
  const [, before, text, after] = /^((?:data: )?)(\{.*\})(,?\s*)$/s.exec(line.toString()) ?? [];
  const { changes, ...row } = asObject(parseJson(text ?? ''));
  if (!Array.isArray(changes)) return line;
  return Buffer.from(before + JSON.stringify({ ...row, changes: changes.toReversed() }) + after);
}

/** A place inside a character, if there is a character that has several bytes. */
function insideOf(line: Buffer): number {
  const continued = line.findIndex((byte) => (byte & 0xc0) === 0x80);
  return continued === -1 ? Math.floor(line.length / 2) : continued;
}

async function* linesOf(body: Body): AsyncGenerator<Line> {
  const lines = new LineReader();
  for await (const bytes of body) yield* lines.read(bytes);
  yield* lines.end();
}

/** Calls `report` with the id of each row in a body, whatever the mode, also in one that is cut: each row has a line. */
export function rowsOf(report: (id: string) => void): (bytes: Buffer) => void {
  const lines = new LineReader();
  return (bytes) => {
    for (const { text } of lines.read(bytes)) {
      const { id, changes } = asObject(parseJson(text.replace(/^data: /, '').replace(/,?\s*$/, '')));
      if (typeof id === 'string' && changes !== undefined) report(id);
    }
  };
}
