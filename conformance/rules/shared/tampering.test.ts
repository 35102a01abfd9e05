import test from 'ava';
import fc from 'fast-check';
import { decodings, tampered } from './tampering.js';

test('a change of unused Base64 bits is ignored', (t) => {
  // Three characters have 18 bits for two bytes: the last two bits are unused.
  const cookie = Buffer.from('ab').toString('base64url');
  t.is(cookie, 'YWI');
  t.is(tampered(cookie, 2, 'J'), undefined);
  t.is(tampered(cookie, 2, 'I'), undefined);
  t.is(tampered(cookie, 2, 'M'), 'YWM');
  t.is(tampered(cookie, 0, 'Z'), 'ZWI');
});

test('unused bits of each part and the case of hexadecimal digits are ignored', (t) => {
  t.is(tampered('YWI.YWI', 2, 'J'), undefined);
  t.is(tampered('s%3Aff', 5, 'F'), undefined);
  t.is(tampered('name:ff', 0, 'N'), 'Name:ff');
});

test('unused bits and the case of Base32 are ignored', (t) => {
  // 26 characters have 130 bits for 16 bytes: the last two bits are unused.
  const cookie = 'MFRGGZDFMZTWQ2LKNNWG23TPOA';
  t.is(tampered(cookie, 0, 'm'), undefined);
  t.is(tampered(cookie, 25, 'C'), undefined);
  t.is(tampered(cookie, 24, 'P'), `${cookie.slice(0, 24)}PA`);
});

test('every change of the content is detected', (t) => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), fc.nat(), fc.nat(255), (bytes, at, value) => {
      const changed = bytes.map((byte, index) => (index === at % bytes.length ? value : byte));
      const [original, other] = [bytes, changed].map((each) => Buffer.from(each).toString('base64url'));
      const same = Buffer.compare(bytes, changed) === 0;
      t.is(decodings(original!)[1] === decodings(other!)[1], same);
    }),
  );
});
