import test from 'ava';
import { hashOfEdit } from './revision-hash.js';

const none = { parent: undefined, deleted: false, attachments: undefined };

/** Bodies, with the hashes that CouchDB 3.5.0 makes of them. */
const bodies = {
  '{}': '967a00dff5e02add41819138abb3284d',
  '{"still":"here"}': '0bea212bcd300c553585fe8cb69c0442',
  '{"b":[true,false,null,"",[],{},[1,2,3],[[]],{"a":{"b":["ü","😀"]}}]}': '2ac265350c75baea6d485ef4b64ef7a4',
  '{"n":[0,1,255,256,-1,-2147483648,2147483647,2147483648,-2147483649,1.5,-0.25,1e300,1e21,12345678901234567890,-12345678901234567890,9007199254740993]}':
    '83c531fd97d669a04f45a226f09518a2',
  '{"x":100000000000000000000}': 'a4ce45291a5e3c874bb5cda8cb4c3133',
  [JSON.stringify({ l: Array(0xffff).fill(7) })]: '636cba8648d1eeb9f27110997a7da45c',
  [JSON.stringify({ l: Array(0x10000).fill(7) })]: 'cbbc992f107a7ee70c0acd3487d6f024',
};

for (const [body, expected] of Object.entries(bodies))
  test(`the hash of ${body.slice(0, 40)} (${body.length} characters) is that of CouchDB`, (t) => {
    t.is(hashOfEdit({ ...none, body }), expected);
  });

test('an integer of 1000 digits has a hash', (t) => {
  t.regex(hashOfEdit({ ...none, body: `{"x":-${'9'.repeat(999)}}` }), /^[0-9a-f]{32}$/);
});
