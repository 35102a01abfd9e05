/** Texts for requests: valid, almost valid, or unusual. */
import fc from 'fast-check';
import { dialects } from '../../../openapi/generated/dialects.js';

export const names = dialects.service;

/** Name and value as Latin-1. */
export type Header = readonly [name: string, value: string];
export type Headers = readonly Header[];

/** Chooses one of several arbitraries, by weight. */
export const mix = <T>(...choices: (readonly [weight: number, arbitrary: fc.Arbitrary<T>])[]) =>
  fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** One of the words of a text. */
export const word = (text: string) => fc.constantFrom(...text.split(/\s+/));

export const bytesOf = (text: string) => Buffer.from(text).toString('latin1');

/** Texts that parsers might misinterpret. */
export const oddText = fc.oneof(
  word(`. .. " ' < {} [] null true -1 0 1e400 _ *`),
  word('__proto__ constructor toString hasOwnProperty 🍲 é ﬁ % %s%n ${7*7} ../../etc/passwd'),
  fc.constantFrom('', ' ', '\0', '\ufeff', '\ud800', "' OR 1=1 --", 'a\r\nX-Y: z', 'a'.repeat(3000)),
  fc.string({ unit: 'binary', maxLength: 12 }),
);

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const encoded = (text: string) => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'));

/** A part of a path or query: with correct, incorrect or no encoding. */
export const piece = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  mix(
    [60, text.map(encoded)],
    [1, text.map(percent)],
    [1, text.map((value) => bytesOf(value).replace(/[\0-\x20]/g, ''))],
    [1, word('% %z %zz %ff %c0%af %ed%a0%80 %00 %0d%0a %2e%2e %2F %25%32%46 %F0%9F%8D%B2')],
    [1, fc.constantFrom('', '+', ';a=b', '\\', '|', '^', '\x7f', '\xff', '"', '<>')],
  );

export const revision = word(
  '1-a 1-967a00dff5e02add41819138abb3284d 0-0 0-99999999999999999999 1- -1 99999999999999999-a x',
);
export const identifier = word('soup stew missing _design/d _design _local/x _design/ a/b _x');
export const userName = word('alice totp bob admin _x a:b');

export const someJson = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, 1e308, '', 'soup'),
  fc.constantFrom<unknown>([], {}, ['soup'], [null], [[]], { a: {} }),
  fc.jsonValue({ maxDepth: 3 }),
  oddText,
);

export const parameterValue = fc.oneof(
  word('true false 0 1 -1 5 now all all_docs main_only "soup" ["1-a"]'),
  word('normal longpoll continuous eventsource _doc_ids _selector _view _design'),
  word('d/all d/none d/throws d/broken d/reads d/missing d/v d/w x / d/'),
  word('TRUE 1e3 0x10 NaN Infinity 99999999999999999999 9007199254740993 [ {"a": [1'),
  revision,
  someJson.map((value) => JSON.stringify(value)),
  oddText,
);

/** Removes line breaks, which would start another header. */
export const headerText = (text: string) => bytesOf(text).replace(/[\r\n\0]/g, '');
