/** The order in which one would build a server: the checks, in rungs that each need only the ones before. */
import picomatch from 'picomatch';
import { capabilities, type Capability } from '../../openapi/generated/rules.js';
import type { FeedPart } from '../session/probe/service-version.js';

export interface Rung {
  readonly name: string;
  /** Globs over ids of checks. */
  readonly checks: readonly string[];
  /** What one builds here, so that the checks of earlier rungs do without it. */
  readonly builds?: {
    readonly feed?: readonly FeedPart[];
    readonly capabilities?: readonly Capability[];
  };
}

const parameters = (...names: string[]): FeedPart[] => names.map((name) => ({ in: 'query', name }));

export const rungs: readonly Rung[] = [
  { name: 'greeting', checks: ['root-*'] },
  { name: 'database', checks: ['normal-immediate'] },
  { name: 'write', checks: ['feed-complete/many'] },
  {
    name: 'feed',
    checks: [
      'feed-{shape,row-shape,complete,nothing-extra,one-row,latest,deleted,post-same}',
      'feed-complete/!(many|users)',
      'feed-present-state',
    ],
  },
  {
    name: 'parameters',
    checks: [
      'feed-{deleted-winner,style-main,style-all,include-docs,conflicts,attachments,att-encoding}',
      'feed-{style-main,style-all,conflicts,attachments,att-encoding}/**',
      'feed-include-docs/!(large)',
      'feed-{limit,paging,pending,last-seq,descending,seq-interval,defaults,partial-order,idempotent}',
      'feed-{seq-interval/resume,last-seq/same-place}',
      'feed-since-*',
      'feed-one-row/{since,limit}',
      'feed-since-excludes/**',
      'feed-seq-any-json',
    ],
    builds: {
      feed: [
        ...parameters('style', 'include_docs', 'conflicts', 'attachments', 'att_encoding_info'),
        ...parameters('limit', 'descending', 'seq_interval'),
      ],
      capabilities: ['attachments'],
    },
  },
  {
    name: 'modes',
    checks: [
      '{longpoll,continuous}-*',
      '{longpoll,continuous}-*/!(filtered)',
      'eventsource-!(heartbeat)',
      'eventsource-!(heartbeat)/!(*filtered)',
      'feed-*/longpoll',
      'feed-post-same/modes',
      'feed-last-event-id{,/**}',
      // Local documents must not end a long poll.
      'feed-local-documents',
      'feed-include-docs/large',
      'feed-accept{,/**}',
      'feed-live-converges/{normal,continuous,eventsource}',
      'timeout-!(default){,/**}',
    ],
    builds: {
      feed: [
        ...['longpoll', 'continuous', 'eventsource'].map((value): FeedPart => ({
          in: 'query',
          name: 'feed',
          value,
        })),
        ...parameters('timeout', 'last-event-id'),
        { in: 'header', name: 'Last-Event-ID' },
      ],
    },
  },
  {
    name: 'heartbeat',
    checks: ['heartbeat-*{,/**}', 'eventsource-heartbeat{,/**}'],
    builds: { feed: parameters('heartbeat') },
  },
  { name: 'session', checks: ['session-*', 'session-*/!(user|cookie)'] },
  {
    name: 'basic',
    checks: ['basic-*{,/**}', 'users-*', 'users-*/!(with-token)', 'session-*/user', 'feed-complete/users'],
    builds: { capabilities: ['users'] },
  },
  {
    name: 'cookie',
    checks: ['login-*', 'login-*/!(*-with-code)', 'cookie-*{,/**}', 'session-*/cookie'],
  },
  {
    name: 'filters',
    checks: [
      'filter-*{,/**}',
      '*/*filtered*',
      'feed-live-converges/**',
      'feed-parameters-in-every-mode{,/**}',
      'timeout-default{,/**}',
    ],
    builds: { feed: parameters('filter', 'doc_ids', 'view'), capabilities: ['functions'] },
  },
  {
    name: 'tokens',
    checks: ['{proxy,jwt,totp}-*{,/**}', '*/*-with-code', '*/with-token'],
    builds: { capabilities: capabilities.filter((name) => /^(proxy|jwt|totp)/.test(name)) },
  },
  { name: 'errors', checks: ['error-*{,/**}', 'response-schema{,/**}', 'normal-immediate/every-request'] },
  { name: 'cluster', checks: ['cluster-*{,/**}'] },
];

/** What checks of a rung must do without, as options of a run. */
export function builtAfter(rung: number): { notYet: readonly FeedPart[]; lack: readonly Capability[] } {
  const later = rungs.slice(rung + 1).flatMap(({ builds }) => builds ?? []);
  return {
    notYet: later.flatMap(({ feed = [] }) => feed),
    lack: later.flatMap(({ capabilities = [] }) => capabilities),
  };
}

const matchers = rungs.map(({ checks }) => picomatch([...checks], { dot: true }));

/** The position of a check in {@link rungs}: the first rung that has it. */
export const rungOf = (id: string): number | undefined => {
  const index = matchers.findIndex((matches) => matches(id));
  return index < 0 ? undefined : index;
};
