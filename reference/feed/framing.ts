/** Formats of the feed modes (SERVICE 2.5, 2.7, 4.7, 6). */
import type { components } from '../../openapi/generated/types.service.js';
import type { Json } from '../store/json.js';

type Schemas = components['schemas'];

export interface Framing {
  /** Sent before anything else. */
  readonly head: string;
  /** Sent between two rows. */
  readonly separator: string;
  /** @param json the row as JSON text */
  readonly row: (json: string, seq: Json) => string;
  /** Sent when there are no changes for some time. Allowed between any two rows. */
  readonly heartbeat: string;
  readonly end: (end: Required<Schemas['FeedEnd']>) => string;
}

/** One JSON object. As in CouchDB, each row is on a line of its own, because some clients parse it by lines. */
export const jsonObject: Framing = {
  head: '{"results":[\n',
  separator: ',\n',
  row: (json) => json,
  heartbeat: '\n',
  end: ({ last_seq, pending }) => `\n],\n"last_seq":${JSON.stringify(last_seq)},"pending":${pending}}\n`,
};

/** Rows end with CRLF. Heartbeats are LF only: clients that split at LF would treat the CR of an empty line as a row. */
export const lines: Framing = {
  head: '',
  separator: '',
  row: (json) => `${json}\r\n`,
  heartbeat: '\n',
  end: (end) => `${JSON.stringify(end)}\r\n`,
};

export const eventStream: Framing = {
  head: '\n',
  separator: '',
  // Without an `id`, the client keeps the previous one and resumes there.
  row: (json, seq) => `data: ${json}\n${seq === null ? '' : `id: ${JSON.stringify(seq)}\n`}\n`,
  // Clients do not dispatch events without `data`.
  heartbeat: 'event: heartbeat\ndata: \n\n',
  end: () => '',
};
