/**
 * Floors: the least that a piece of work can cost, measured on the same machine in the same rounds. A slow machine
 * slows a floor as much as the server, so the ratio of the two tells how much the server adds.
 */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import quickjsVariant from '@jitl/quickjs-wasmfile-release-sync';
import { jwtVerify } from 'jose';
import { newQuickJSWASMModuleFromVariant, Scope, type QuickJSSyncVariant } from 'quickjs-emscripten-core';
import initSqlJs from 'sql.js';
import { documentOf, filterFunction, type Dataset } from './dataset.js';
import { Client } from '../client.js';
import { meanTime, range, timed } from '../measure.js';
import { listen, runSource, withProgram } from './programs.js';
import { now, token } from '../../testing/signed-tokens.js';

/** What a workload measures. Workloads of the reference server alone need no dataset. */
export type Work = (dataset: Dataset) => Promise<number>;

export interface Floor {
  readonly title: string;
  /** `--check` fails if the workload takes longer than this many times its floor. */
  readonly maxRatio?: number;
  /** Measures once, in the unit of its workload. */
  readonly measure: (dataset: Dataset, work: Work) => Promise<number>;
}

/** A thread, since the server under test does not share the thread of the client either. */
const bareServer = `
const { createServer } = require('node:http');
const { parentPort, workerData } = require('node:worker_threads');
let waiting;
createServer((request, response) => {
  request.resume().once('end', () => {
    response.writeHead(200, { 'content-type': 'application/json' });
    if (request.url.includes('feed=longpoll')) {
      response.flushHeaders();
      waiting = response;
    } else if (request.method === 'GET') {
      response.end(workerData);
    } else {
      response.end('{"ok":true}');
      waiting?.end(workerData);
      waiting = undefined;
    }
  });
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });
`;

/**
 * The same work on a server of `node:http` that does nothing but send bytes: those of the normal feed with this query to
 * each GET, and to a long poll at the next write. Once V8 has compiled it, such a server takes half the time of its first
 * requests.
 */
export const bareHttp = (query: string, maxRatio: number): Floor => ({
  title: 'node:http receives and sends the same bytes',
  maxRatio,
  measure: async ({ target, path, documents }, work) => {
    const bytes = Buffer.from(await target.read('GET', `${path}/_changes?${query}`));
    const worker = new Worker(bareServer, { eval: true, workerData: bytes });
    const [port] = (await once(worker, 'message')) as [number];
    const bare = new Client(`http://127.0.0.1:${port}`, 'node:http');
    try {
      // Opens the connection, as the real server has done before.
      await bare.read('GET', path);
      return await work({ target: bare, path, documents });
    } finally {
      await bare.close();
      await worker.terminate();
    }
  },
});

/** QuickJS parses the documents and calls the filter function, with one call for all documents. */
export const quickjsAlone: Floor = {
  title: 'QuickJS alone filters the same documents',
  maxRatio: 3,
  measure: ({ documents }) =>
    Scope.withScopeAsync(async (scope) => {
      const quickjs = await newQuickJSWASMModuleFromVariant(quickjsVariant as unknown as QuickJSSyncVariant);
      const json = JSON.stringify(range(0, documents).map(documentOf));
      const context = scope.manage(quickjs.newContext());
      const source = `((text) => JSON.stringify(JSON.parse(text).map(${filterFunction})))`;
      const filter = scope.manage(context.unwrapResult(context.evalCode(source)));
      const text = scope.manage(context.newString(json));
      return timed(() => {
        const verdicts = context.callFunction(filter, context.undefined, text);
        context.getString(scope.manage(context.unwrapResult(verdicts)));
      });
    }),
};

/** sql.js inserts the documents into a table, 500 in a transaction. @returns milliseconds a document */
export const sqlAlone: Floor = {
  title: 'sql.js inserts the same documents',
  measure: async () => {
    const count = 4000;
    const sql = new (await initSqlJs()).Database();
    sql.run('CREATE TABLE documents (id TEXT PRIMARY KEY, body TEXT) WITHOUT ROWID');
    const insert = sql.prepare('INSERT INTO documents VALUES (?, ?)');
    const bodies = range(0, count).map((number) => JSON.stringify(documentOf(number)));
    try {
      const duration = await timed(() => {
        for (const [number, body] of bodies.entries()) {
          if (number % 500 === 0) sql.run('BEGIN');
          insert.run([String(number), body]);
          if (number % 500 === 499) sql.run('COMMIT');
        }
      });
      return duration / count;
    } finally {
      sql.close();
    }
  },
};

/** A process of Node.js that starts a server of `node:http` and responds once. */
export const nodeAlone: Floor = {
  title: 'node:http alone starts and responds',
  measure: () => {
    const source = `require('node:http').createServer((request, response) => response.end('{}'))${listen}`;
    return timed(() => withProgram(runSource(source), (client) => client.read('GET', '/')));
  },
};

/** The value of `jwt_keys/hmac:bench` in `bench.ini`, decoded. */
const tokenKey = Buffer.from('benchmark key of thirty-two bytes');

/** A token that the benchmarked reference server accepts. */
export const acceptedToken = token(
  { alg: 'HS256', kid: 'bench', typ: 'JWT' },
  { sub: 'bench', exp: now() + 24 * 3600 },
  tokenKey,
);

/** jose verifies a token. @returns milliseconds a request */
export const joseAlone: Floor = {
  title: 'jose alone verifies the same token',
  measure: () => meanTime(200, () => jwtVerify(acceptedToken, tokenKey)),
};
