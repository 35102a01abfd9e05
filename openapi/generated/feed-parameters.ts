/** The parameters of the changes feed. Generated from openapi/ by `npm run generate`. */

/** Those in the query. */
export const feedParameters: readonly string[] = [
  'doc_ids',
  'conflicts',
  'descending',
  'feed',
  'filter',
  'heartbeat',
  'include_docs',
  'attachments',
  'att_encoding_info',
  'last-event-id',
  'limit',
  'since',
  'style',
  'timeout',
  'view',
  'seq_interval',
];

/** The values that the query has without them, if it has any (SERVICE 4.5). */
export const defaultFeedQuery = {
  conflicts: false,
  descending: false,
  feed: 'normal',
  include_docs: false,
  attachments: false,
  att_encoding_info: false,
  since: '0',
  style: 'main_only',
} as const;

/** What later versions of the service added (SERVICE 9): `x-since` and `x-values-since`. */
export interface FeedAddition {
  readonly in: 'query' | 'header';
  readonly name: string;
  /** The new value of a parameter that is older. Without it, the parameter itself is new. */
  readonly value?: string;
  /** The first version that has it. */
  readonly since: string;
}

export const feedAdditions: readonly FeedAddition[] = [
  { in: 'header', name: 'Last-Event-ID', since: '1.4.0' },
  { in: 'query', name: 'feed', value: 'eventsource', since: '1.3.0' },
  { in: 'query', name: 'filter', value: '_view', since: '1.2.0' },
  { in: 'query', name: 'filter', value: '_selector', since: '2.0.0' },
  { in: 'query', name: 'include_docs', since: '0.11.0' },
  { in: 'query', name: 'attachments', since: '1.6.0' },
  { in: 'query', name: 'att_encoding_info', since: '1.6.0' },
  { in: 'query', name: 'last-event-id', since: '1.4.0' },
  { in: 'query', name: 'since', value: 'now', since: '1.3.0' },
  { in: 'query', name: 'view', since: '1.2.0' },
  { in: 'query', name: 'seq_interval', since: '2.0.0' },
];
