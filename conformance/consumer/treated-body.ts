/** Treats the body of a response as a scenario says, and finds the rows in it. The server sends each row in a line. */
import { setTimeout as pause } from 'node:timers/promises';
import { asObject, parseJson } from '../http/parse-json.js';
import { EventReader, type Line, LineReader } from '../http/stream-readers.js';
import type { ResponseForm, Treatment } from './scenario.js';

/** Chunks of a response. */
type Body = AsyncIterable<Buffer>;

type JsonObject = Readonly<Record<string, unknown>>;

const eventField = /^(data|event|id): /;

const unknown = { x_docfeed: { note: 'clients must ignore what they do not know' } };

/** Of a response that is slow: no consumer takes it for silent. In milliseconds. */
const beatMs = 250;

/** Long enough for a consumer to see two pieces, unless the machine is very busy. */
const pieceMs = 100;

/**
 * Does to a body what the treatment says. It ends with an error where the connection breaks.
 *
 * @param spend is called where the connection breaks or falls silent.
 */
export function treated(body: Body, treatment: Treatment | undefined, spend: () => void): Body {
  if (!treatment) return body;
  const { events } = treatment.form ?? {};
  if (events === 'fields') return withOtherFields(body);
  return events
    ? withEndings(body, { CRLF: '\r\n', CR: '\r' }[events])
    : treatedLines(body, treatment, spend);
}

async function* treatedLines(body: Body, treatment: Treatment, spend: () => void): AsyncGenerator<Buffer> {
  const { cut, silence, form = {} } = treatment;
  const { emptyLines, pieces, otherEnd, reversesMembers, paceMs = 0 } = form;
  const change = changeOf(form);
  let rows = 0;
  for await (const { bytes: sent, ending } of linesOf(reversesMembers ? lastSeqFirst(body) : body)) {
    const isRow = sent.includes('"changes":');
    const line = change ? withChange(sent, change) : sent;
    if (isRow && (cut ?? silence)?.rows === rows) {
      spend();
      if (cut?.inside) yield line.subarray(0, line.length / 2);
      // Long enough for what was sent to arrive before the connection breaks.
      await pause(20);
      if (cut) throw new Error('The connection breaks here.');
      await new Promise(() => {});
    }
    if (isRow) rows += 1;
    for (let left = isRow ? paceMs : 0; left > 0; left -= beatMs) {
      yield Buffer.from('\n');
      await pause(beatMs);
    }
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

/** What a form does to each row, and to the members after the rows; undefined if it leaves them. */
function changeOf({
  reversesLeaves,
  reversesMembers,
  addsMembers,
}: ResponseForm): ((object: JsonObject) => unknown) | undefined {
  if (!reversesLeaves && !reversesMembers && !addsMembers) return undefined;
  return (object) => {
    const { changes } = object;
    const leaves = Array.isArray(changes) ? (changes as JsonObject[]) : undefined;
    const ordered = reversesLeaves ? leaves?.toReversed() : leaves;
    const extended = addsMembers ? ordered?.map((leaf) => ({ ...leaf, ...unknown })) : ordered;
    const changed = { ...object, ...(extended && { changes: extended }), ...(addsMembers && unknown) };
    return reversesMembers ? reversed(changed) : changed;
  };
}

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.reverse());
}

/** Changes the object in a line: a row, the object at the end of a feed, or the members after the rows of a whole object. */
function withChange(line: Buffer, change: (object: JsonObject) => unknown): Buffer {
  const [, before, text, after] =
    /^((?:data: )?)(\{.*\}|"last_seq":.*\})(,?\s*)$/s.exec(line.toString()) ?? [];
  if (text === undefined) return line;
  const isWhole = text.startsWith('{');
  const object = asObject(parseJson(isWhole ? text : `{${text}`));
  const changed = JSON.stringify(change(object));
  return Buffer.from(before + (isWhole ? changed : changed.slice(1)) + after);
}

/** Moves the members after the rows of a whole object to its beginning. Until they are there, only empty lines go on. */
async function* lastSeqFirst(body: Body): AsyncGenerator<Buffer> {
  let rows: Buffer[] | undefined;
  for await (const { bytes, text } of linesOf(body)) {
    if (text === '{"results":[') rows = [];
    else if (!rows || text === '') yield bytes;
    else if (text.startsWith('"last_seq":')) {
      yield Buffer.from(`{${text.slice(0, -1)},"results":[\n`);
      yield* rows;
      yield Buffer.from(']}\n');
    } else if (text !== '],') rows.push(bytes);
  }
}

/** An event stream whose lines have another ending, and a byte order mark before the first one. */
async function* withEndings(body: Body, ending: string): AsyncGenerator<Buffer> {
  let mark = '\ufeff';
  for await (const { text } of linesOf(body)) {
    if (text === '' && mark !== '') continue;
    yield Buffer.from(mark + text + ending);
    mark = '';
  }
}

/** An event stream with other fields. The server sends the data of each event in one line. */
async function* withOtherFields(body: Body): AsyncGenerator<Buffer> {
  let fields: string[] = [];
  for await (const { text } of linesOf(body)) {
    if (text !== '') fields.push(text);
    else {
      const lines = fields.reverse().flatMap((field) => dataInLines(field) ?? field.replace(': ', ':'));
      yield Buffer.from([': a comment', ...lines, 'retry: 100', '', ''].join('\n'));
      fields = [];
    }
  }
}

/** Several lines of data, which a reader joins with line feeds. */
function dataInLines(field: string): string[] | undefined {
  const [, text] = /^data: (\{.*)$/s.exec(field) ?? [];
  return text === undefined
    ? undefined
    : JSON.stringify(parseJson(text), null, 1)
        .split('\n')
        .map((line) => `data: ${line}`);
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

/** Calls `report` with the id of each row in a body, also in one that is cut: each row has a line, or an event. */
export function rowsOf(isEventStream: boolean, report: (id: string) => void): (bytes: Buffer) => void {
  const events = new EventReader();
  const lines = new LineReader();
  return (bytes) => {
    const texts = isEventStream
      ? events.read(bytes).map(({ data }) => data)
      : lines.read(bytes).map(({ text }) => text.replace(/,?\s*$/, ''));
    for (const text of texts) {
      const { id, changes } = asObject(parseJson(text));
      if (typeof id === 'string' && changes !== undefined) report(id);
    }
  };
}
