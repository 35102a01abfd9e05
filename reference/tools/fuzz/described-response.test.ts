import test from 'ava';
import { findDifference } from './described-response.js';

const ask = (line: string) => ({ bytes: Buffer.from(`${line} HTTP/1.1\r\n\r\n`), isComplete: true });
const feed = ask('GET /recipes/_changes?limit=1');
const json = 'http/1.1 200 ok\r\ncontent-type: application/json';
const emptyFeed = '{"results":[],"last_seq":"1-x","pending":0}';
const answer = (body: string, status = 200, head = json) => ({ status, head, body: Buffer.from(body) });

for (const [what, request, response, difference] of [
  ['a response as described', feed, answer(emptyFeed), undefined],
  [
    'a response in chunks',
    feed,
    answer(
      `5\r\n${emptyFeed.slice(0, 5)}\r\n26\r\n${emptyFeed.slice(5)}\r\n0\r\n\r\n`,
      200,
      `${json}\r\ntransfer-encoding: chunked`,
    ),
    undefined,
  ],
  ['a feed that stays open', feed, answer('\n'), undefined],
  ['a response without a body', feed, answer('', 304), undefined],
  ['a request for no operation', ask('PATCH /recipes'), answer('x', 299), undefined],
  ['a request that is no HTTP', { ...feed, isComplete: false }, answer('x', 299), undefined],
  ['content of any type', ask('GET /recipes/soup/photo.jpg'), answer('x', 200, json), undefined],
  ['another status', feed, answer(emptyFeed, 201), 'status 201 is none of getChanges'],
  [
    'another media type',
    feed,
    answer('x', 200, 'http/1.1 200 ok\r\ncontent-type: text/html; charset=utf-8'),
    "a response of getChanges with status 200 has the media type 'text/html'",
  ],
  [
    'another value',
    feed,
    answer('{"results":[],"last_seq":"1-x","pending":-1}'),
    'a response of getChanges with status 200 is not as described: data/pending must be >= 0: {"results":[],"last_seq":"1-x","pending":-1}',
  ],
  [
    'a path that has to be resolved',
    ask('GET /recipes/../%5fsession'),
    answer('{"ok":true}'),
    `a response of getSession with status 200 is not as described: data must have required property 'userCtx': {"ok":true}`,
  ],
] as const) {
  test(`${what} ${difference === undefined ? 'is as described' : 'is found'}`, (t) => {
    t.is(findDifference(request, response), difference);
  });
}
