/** Defects of a server, not of what it answers: its tools must find them. */
import { openSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { program } from '../../reports/testing/program.js';
import type { Components, Fault } from '../index.js';

type Defect = Pick<Fault, 'summary' | 'replace'>;
type Response = Parameters<Components['prepareResponse']>[0];

/** Calls `act` with every n-th response before the server uses it. */
const withEvery =
  (n: number, act: (response: Response) => void): Defect['replace'] =>
  (components) => {
    let count = 0;
    return {
      ...components,
      prepareResponse: (response) => {
        if (++count % n === 0) act(response);
        components.prepareResponse(response);
      },
    };
  };

/** Changes the handlers of long lists. */
const withLists =
  (change: (handler: () => Promise<object>) => Promise<object>): Defect['replace'] =>
  (components) => {
    const handlers = Object.fromEntries(
      (['getAllDocs', 'postAllDocs', 'bulkGet'] as const).map((operation) => {
        const original = components.handlers[operation] as (...args: unknown[]) => Promise<object>;
        return [operation, (...args: unknown[]) => change(() => original(...args))];
      }),
    );
    return { ...components, handlers: { ...components.handlers, ...handlers } };
  };

const keptBodies: unknown[] = [];
const keptResponses: unknown[] = [];

const defects = {
  'keeps-bodies': {
    summary: 'Each request leaves its body in memory.',
    replace: ({ parseBody, ...components }) => ({
      ...components,
      parseBody: (kind, body) => {
        keptBodies.push(body.bytes && Buffer.from(body.bytes));
        return parseBody(kind, body);
      },
    }),
  },
  'keeps-requests': {
    summary: 'Each request stays in memory.',
    replace: withEvery(1, (response) => void keptResponses.push(response)),
  },
  'keeps-files': {
    summary: 'Each hundredth request leaves a file open.',
    replace: withEvery(100, () => void openSync('/dev/null', 'r')),
  },
  'keeps-native-memory': {
    summary: 'Each request leaves 16 KiB in memory that JavaScript does not know.',
    replace: withEvery(1, () => (process.env[`kept-${performance.now()}`] = 'x'.repeat(16_384))),
  },
  'breaks-connections': {
    summary: 'Each thousandth request gets no response.',
    replace: withEvery(1000, (response) => void response.socket?.destroy()),
  },
  'collects-lists': {
    summary: 'A long list is in memory as a whole before its first byte is sent.',
    replace: withLists(async (handler) => {
      const response = (await handler()) as { body: unknown };
      if (!(response.body instanceof Readable)) return response;
      return { ...response, body: Readable.from(await buffer(response.body), { objectMode: false }) };
    }),
  },
  'blocks-others': {
    summary: 'While the server makes a list, it does nothing else for half a second.',
    replace: withLists((handler) => {
      for (const end = performance.now() + 500; performance.now() < end;);
      return handler();
    }),
  },
  'makes-filters-wait': {
    summary: 'With many filters, a further one waits for two seconds.',
    replace: ({ createFilter, ...components }) => {
      let running = 0;
      return {
        ...components,
        createFilter: async (database, request, context) => {
          running++;
          context.disconnected().addEventListener('abort', () => running--);
          if (running > 10) await pause(2000);
          return createFilter(database, request, context);
        },
      };
    },
  },
} satisfies Record<string, Defect>;

export const faults: readonly Fault[] = Object.entries(defects).map(([id, defect]) => ({
  id,
  rule: 'none',
  nodes: 1,
  ...(defect as Defect),
}));

/** Replaces the writes of the journal. They are only on disk 20 ms after the server believes it. */
const writesLate = `
import { open } from 'node:fs/promises';
const prototype = Object.getPrototypeOf(await open('/dev/null'));
const { write } = prototype;
prototype.write = async function (bytes, offset, length, position) {
  setTimeout(() => write.call(this, bytes, offset, length, position), 20);
  return { bytesWritten: length };
};`;

/** How to start a server that acknowledges writes before they are on disk. */
export const acknowledgesEarly = {
  program: [`--import=data:text/javascript,${encodeURIComponent(writesLate)}`, program],
};

/** How to start a server with a defect. */
export const withDefect = (id: keyof typeof defects) => ({
  program: [fileURLToPath(new URL('serve-with-defects.js', import.meta.url))],
  args: ['--fault', id],
});
