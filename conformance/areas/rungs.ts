/** The order in which one would build a server: the checks, in rungs that each need the ones before. */
import picomatch from 'picomatch';

export interface Rung {
  readonly name: string;
  /** Globs over ids of checks. */
  readonly checks: readonly string[];
}

export const rungs: readonly Rung[] = [
  { name: 'greeting', checks: ['root-*'] },
  { name: 'database', checks: ['normal-immediate'] },
  { name: 'write', checks: ['feed-complete/many'] },
  {
    name: 'feed',
    checks: [
      'feed-{shape,row-shape,complete,nothing-extra,one-row,latest,deleted,post-same}',
      'feed-complete/!(many)',
      'feed-{partial-order,idempotent,present-state}',
    ],
  },
  {
    name: 'parameters',
    checks: [
      'feed-{deleted-winner,style-main,style-all,include-docs,conflicts,attachments,att-encoding}',
      'feed-{style-main,style-all,conflicts,attachments,att-encoding}/**',
      'feed-include-docs/!(large)',
      'feed-{limit,paging,pending,last-seq,descending,seq-interval,defaults}',
      'feed-{seq-interval/resume,last-seq/same-place}',
      'feed-since-*',
      'feed-since-excludes/**',
      'feed-seq-any-json',
      'feed-last-event-id{,/**}',
    ],
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
      // Local documents must not end a long poll.
      'feed-local-documents',
      'feed-include-docs/large',
      'feed-accept{,/**}',
      'feed-live-converges/{normal,continuous,eventsource}',
      'timeout-*{,/**}',
    ],
  },
  { name: 'heartbeat', checks: ['heartbeat-*{,/**}', 'eventsource-heartbeat{,/**}'] },
  { name: 'session', checks: ['session-*{,/**}'] },
  { name: 'basic', checks: ['basic-*{,/**}', 'users-*{,/**}'] },
  { name: 'cookie', checks: ['login-*{,/**}', 'cookie-*{,/**}'] },
  {
    name: 'filters',
    checks: [
      'filter-*{,/**}',
      '*/*filtered*',
      'feed-live-converges/**',
      'feed-parameters-in-every-mode{,/**}',
    ],
  },
  { name: 'tokens', checks: ['{proxy,jwt,totp}-*{,/**}'] },
  { name: 'errors', checks: ['error-*{,/**}', 'response-schema{,/**}'] },
  { name: 'cluster', checks: ['cluster-*{,/**}'] },
];

const matchers = rungs.map(({ checks }) => picomatch([...checks], { dot: true }));

/** The position of a check in {@link rungs}: the first rung that has it. */
export const rungOf = (id: string): number | undefined => {
  const index = matchers.findIndex((matches) => matches(id));
  return index < 0 ? undefined : index;
};
