/** The order in which one would build a server: rungs, whose checks each need only what earlier ones build. */
import { capabilities, type Capability } from '../../../openapi/generated/rules.js';
import type { FeedPart } from '../probe/service-version.js';

interface Rung {
  readonly name: string;
  /** Whether no later rung needs this one. A climb goes on without it, and shows it at its end. */
  readonly canWait?: boolean;
  /** What one builds here, so that the checks of earlier rungs do without it. */
  readonly builds?: {
    readonly feed?: readonly FeedPart[];
    readonly capabilities?: readonly Capability[];
  };
}

const parameters = (...names: string[]): FeedPart[] => names.map((name) => ({ in: 'query', name }));

export const rungs = [
  { name: 'greeting', canWait: true },
  { name: 'database' },
  { name: 'write' },
  { name: 'feed' },
  {
    name: 'parameters',
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
  { name: 'heartbeat', builds: { feed: parameters('heartbeat') } },
  { name: 'session' },
  { name: 'basic', builds: { capabilities: ['users'] } },
  { name: 'cookie' },
  {
    name: 'filters',
    builds: { feed: parameters('filter', 'doc_ids', 'view'), capabilities: ['functions'] },
  },
  {
    name: 'tokens',
    builds: { capabilities: capabilities.filter((name) => /^(proxy|jwt|totp)/.test(name)) },
  },
  { name: 'errors' },
  { name: 'cluster' },
] as const satisfies readonly Rung[];

/** The name of a rung. */
export type RungName = (typeof rungs)[number]['name'];

/** What checks of a rung must do without, as options of a run. */
export function builtAfter(name: RungName): { notYet: readonly FeedPart[]; lack: readonly Capability[] } {
  const all: readonly Rung[] = rungs;
  const later = all.slice(positionOf(name) + 1).flatMap(({ builds }) => builds ?? []);
  return {
    notYet: later.flatMap(({ feed = [] }) => feed),
    lack: later.flatMap(({ capabilities = [] }) => capabilities),
  };
}

/** The position of a rung, from 0. */
export const positionOf = (name: RungName): number => rungs.findIndex((rung) => rung.name === name);
