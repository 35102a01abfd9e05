/** How each mode writes the feed (SERVICE 2.5, 2.7, 4.7, 6). */
import type { components } from '../../openapi/generated/types.service.js';

type Schemas = components['schemas'];

export interface Framing {
  /** Sent before anything else. */
  readonly head: string;
  /** Stands between two rows. */
  readonly separator: string;
  readonly row: (row: Schemas['ChangeRow']) => string;
  /** Sent while nothing else comes; may stand between any two rows. */
  readonly heartbeat: string;
  readonly end: (end: Required<Schemas['FeedEnd']>) => string;
}

/** One JSON object with a row a line, as CouchDB writes it: there are clients that read it by lines. */
export const jsonObject: Framing = {
  head: '{"results":[\n',
  separator: ',\n',
  row: (row) => JSON.stringify(row),
  heartbeat: '\n',
  end: ({ last_seq, pending }) => `\n],\n"last_seq":${JSON.stringify(last_seq)},"pending":${pending}}\n`,
};

/** The rows end in CRLF. A heartbeat is a bare LF: clients that split at LF take the CR of an empty line for a row. */
export const lines: Framing = {
  head: '',
  separator: '',
  row: (row) => `${JSON.stringify(row)}\r\n`,
  heartbeat: '\n',
  end: (end) => `${JSON.stringify(end)}\r\n`,
};

export const eventStream: Framing = {
  head: '\n',
  separator: '',
  // Without an `id` the client keeps the one before: it resumes from there.
  row: (row) =>
    `data: ${JSON.stringify(row)}\n${row.seq === null ? '' : `id: ${JSON.stringify(row.seq)}\n`}\n`,
  // An event without `data` would not reach the client.
  heartbeat: 'event: heartbeat\ndata: \n\n',
  end: () => '',
};
