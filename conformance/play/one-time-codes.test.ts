import test from 'ava';
import { decodeBase32, oneTimeCode } from './one-time-codes.js';

/** The ASCII text "12345678901234567890", the secret of the test vectors of RFC 4226 and RFC 6238. */
const key = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test('codes are those of RFC 6238, appendix B', (t) => {
  const vectors: readonly (readonly [time: number, code: string])[] = [
    [59, '94287082'],
    [1111111109, '07081804'],
    [1111111111, '14050471'],
    [1234567890, '89005924'],
    [2000000000, '69279037'],
    [20000000000, '65353130'],
  ];
  for (const [time, code] of vectors) {
    t.is(oneTimeCode(key, time, 8), code);
    t.is(oneTimeCode(key, time), code.slice(2));
  }
});

test('codes are those of RFC 4226, appendix D, for the first ten periods', (t) => {
  const codes = ['755224', '287082', '359152', '969429', '338314', '254676', '287922', '162583', '399871'];
  t.deepEqual(
    [...codes, '520489'].map((_, step) => oneTimeCode(key, 30 * step + 29.9)),
    [...codes, '520489'],
  );
});

test('Base32 is that of RFC 4648, section 10', (t) => {
  const vectors = {
    '': '',
    'MY======': 'f',
    'MZXQ====': 'fo',
    'MZXW6===': 'foo',
    'MZXW6YQ=': 'foob',
    MZXW6YTB: 'fooba',
    'MZXW6YTBOI======': 'foobar',
    MZXW6YTBOI: 'foobar',
  };
  for (const [text, decoded] of Object.entries(vectors)) t.is(decodeBase32(text).toString(), decoded);
  t.throws(() => decodeBase32('MZXW6YT1'), { instanceOf: RangeError });
});
