import test from 'ava';
import fc from 'fast-check';
import { EventReader, LineReader, type Line, type ServerEvent } from './stream-readers.js';

/** The bytes of a text, split anywhere. */
function inPieces(text: string): fc.Arbitrary<Uint8Array[]> {
  const bytes = Buffer.from(text);
  return fc.array(fc.nat({ max: bytes.length }), { maxLength: 8 }).map((cuts) => {
    const borders = [0, ...cuts.sort((a, b) => a - b), bytes.length];
    return borders.slice(1).map((border, index) => bytes.subarray(borders[index], border));
  });
}

function linesIn(pieces: readonly Uint8Array[]): Omit<Line, 'bytes'>[] {
  const reader = new LineReader();
  const lines = [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()];
  return lines.map(({ text, ending }) => ({ text, ending }));
}

function eventsIn(pieces: readonly Uint8Array[]): ServerEvent[] {
  const reader = new EventReader();
  return pieces.flatMap((piece) => reader.read(piece));
}

test('lines do not depend on where chunks end', (t) => {
  const text = '{"id":"é😀"}\r\n\n\r\n\ufeff{"a":1}\n\r{"last_seq":1}';
  fc.assert(
    fc.property(inPieces(text), (pieces) => {
      t.deepEqual(linesIn(pieces), [
        { text: '{"id":"é😀"}', ending: '\r\n' },
        { text: '', ending: '\n' },
        { text: '', ending: '\r\n' },
        { text: '\ufeff{"a":1}', ending: '\n' },
        { text: '\r{"last_seq":1}', ending: '' },
      ]);
    }),
  );
});

test('the bytes of all lines are those of the body, also if they are no text', (t) => {
  const bytes = fc.uint8Array({ max: 12 });
  fc.assert(
    fc.property(fc.array(bytes), (pieces) => {
      const reader = new LineReader();
      const lines = [...pieces.flatMap((piece) => reader.read(piece)), ...reader.end()];
      t.deepEqual(Buffer.concat(lines.map((line) => line.bytes)), Buffer.concat(pieces));
    }),
  );
});

test('events do not depend on where chunks end', (t) => {
  const text =
    '\ndata: {"id":"é😀"}\nid: "1-x"\n\nevent: heartbeat\ndata: \n\n: a comment\n\ndata: {\ndata: }\n\ndata: cut';
  fc.assert(
    fc.property(inPieces(text), (pieces) => {
      t.deepEqual(eventsIn(pieces), [
        { type: 'message', data: '{"id":"é😀"}', lastEventId: '"1-x"' },
        { type: 'heartbeat', data: '', lastEventId: '"1-x"' },
        { type: 'message', data: '{\n}', lastEventId: '"1-x"' },
      ]);
    }),
  );
});

test('a terminated last line is not followed by an empty line', (t) => {
  t.deepEqual(linesIn([Buffer.from('a\n')]), [{ text: 'a', ending: '\n' }]);
  t.deepEqual(linesIn([]), []);
});

test('each line ending of an event stream ends its line at once', (t) => {
  for (const ending of ['\n', '\r\n', '\r']) {
    const text = ['data: {}', 'id: 1', '', 'data: []', '', ''].join(ending);
    const events = [
      { type: 'message', data: '{}', lastEventId: '1' },
      { type: 'message', data: '[]', lastEventId: '1' },
    ];
    fc.assert(fc.property(inPieces(text), (pieces) => t.deepEqual(eventsIn(pieces), events)));
  }
});

test('a line of an event stream that is no field is stray, also an unterminated last one', (t) => {
  const text =
    '\ufeff\n: a comment\nretry: 9\nx-field: 1\ndata\nid: 1\nevent\n\ndata: {}\n\n],\n\n"last_seq":"5-x","pending":0}\nend\n]}';
  fc.assert(
    fc.property(inPieces(text), (pieces) => {
      const stray: string[] = [];
      const reader = new EventReader((line) => stray.push(line));
      for (const piece of pieces) reader.read(piece);
      reader.end();
      t.deepEqual(stray, ['],', '"last_seq":"5-x","pending":0}', 'end', ']}']);
    }),
  );
});
