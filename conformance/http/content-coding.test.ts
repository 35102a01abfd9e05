import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import test from 'ava';
import { decodeContent } from './content-coding.js';

const bytes = Buffer.from('{"password":"secret"}');

for (const [encoding, encoded] of [
  ['identity', bytes],
  ['GZIP', gzipSync(bytes)],
  ['x-gzip', gzipSync(bytes)],
  ['deflate', deflateSync(bytes)],
  ['deflate', deflateRawSync(bytes)],
  ['br', brotliCompressSync(bytes)],
  ['gzip, br', brotliCompressSync(gzipSync(bytes))],
] as const) {
  test(`a body of ${encoded.length} bytes in ${encoding} is decoded`, (t) => {
    t.deepEqual(Buffer.from(decodeContent(encoded, encoding)!), bytes);
  });
}

test('a body that ends too early is decoded as far as it goes', (t) => {
  const decoded = decodeContent(gzipSync(bytes).subarray(0, -8), 'gzip');
  t.deepEqual(Buffer.from(decoded!), bytes);
});

test('what is unknown, no such coding or too long is not decoded', (t) => {
  t.is(decodeContent(bytes, 'zstd'), undefined);
  t.is(decodeContent(bytes, 'gzip'), undefined);
  t.is(decodeContent(gzipSync(bytes), 'gzip', { maxOutputLength: 5 }), undefined);
});
