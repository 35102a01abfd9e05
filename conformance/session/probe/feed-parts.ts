/** The parts of the feed that a target may lack alone: parameters, and values of them (SERVICE 4.5, 4.8). */
import type { RuleId } from '../../../openapi/generated/rules.js';
import type { TargetRequest } from '../../http/client.js';
import type { Parameter } from './service-version.js';

export interface ProbedPart {
  /** Such as `limit`, or `feed=longpoll` for one value. */
  readonly name: string;
  /** What a target breaks that refuses or ignores it. */
  readonly rule: RuleId;
  /** What a target breaks that ignores it, if that is something else. */
  readonly brokenByIgnoring?: readonly RuleId[];
  /** The parameters that have no effect without it (SERVICE 4.5). */
  readonly dependents?: readonly string[];
  /** A request in normal mode that has it and nothing else. Without one, it is probed in another way. */
  readonly request?: Request;
  /** Whether fewer rows than all must come. */
  readonly leavesOut?: true;
}

interface Request {
  readonly query: TargetRequest['query'];
  readonly json?: object;
}

/** Filters, with a request that no document of the probes passes. */
export const probedFilters: readonly (Request & { readonly name: string; readonly rule: RuleId })[] = [
  { name: '_doc_ids', rule: 'filter-doc-ids', query: { filter: '_doc_ids', doc_ids: ['none'] } },
  { name: '_design', rule: 'filter-design', query: { filter: '_design' } },
  {
    name: '_selector',
    rule: 'filter-selector',
    query: { filter: '_selector' },
    json: { selector: { _id: 'none' } },
  },
];

export const probedParts: readonly ProbedPart[] = [
  { name: 'limit', rule: 'feed-limit', request: { query: { limit: 1 } }, leavesOut: true },
  ...probedFilters.map(({ name, rule, ...request }): ProbedPart => ({
    name: `filter=${name}`,
    rule,
    request,
    leavesOut: true,
  })),
  { name: 'filter', rule: 'filter-doc-ids', dependents: ['doc_ids', 'view'] },
  {
    name: 'include_docs',
    rule: 'feed-include-docs',
    request: { query: { include_docs: true } },
    dependents: ['conflicts', 'attachments', 'att_encoding_info'],
  },
  {
    name: 'since',
    rule: 'feed-seq-any-json',
    brokenByIgnoring: ['feed-since-excludes', 'feed-since-resume'],
  },
  { name: 'since=now', rule: 'feed-since-now' },
  { name: 'since=0', rule: 'feed-since-default', request: { query: { since: 0 } } },
  { name: 'descending', rule: 'feed-descending', request: { query: { descending: true } } },
  { name: 'style=main_only', rule: 'feed-style-main', request: { query: { style: 'main_only' } } },
  { name: 'style=all_docs', rule: 'feed-style-all', request: { query: { style: 'all_docs' } } },
  { name: 'conflicts', rule: 'feed-conflicts', request: { query: { conflicts: true } } },
  { name: 'attachments', rule: 'feed-attachments', request: { query: { attachments: true } } },
  { name: 'att_encoding_info', rule: 'feed-att-encoding', request: { query: { att_encoding_info: true } } },
  { name: 'seq_interval', rule: 'feed-seq-interval', request: { query: { seq_interval: 1 } } },
  { name: 'heartbeat', rule: 'heartbeat-lines', request: { query: { heartbeat: 60_000 } } },
  { name: 'heartbeat=true', rule: 'heartbeat-true', request: { query: { heartbeat: true } } },
  { name: 'timeout', rule: 'longpoll-timeout', request: { query: { timeout: 60_000 } } },
  { name: 'feed=normal', rule: 'normal-immediate', request: { query: { feed: 'normal' } } },
  { name: 'feed=longpoll', rule: 'longpoll-waits' },
  { name: 'feed=continuous', rule: 'continuous-live' },
  { name: 'feed=eventsource', rule: 'eventsource-stream' },
];

/** @param part its name, such as `limit` or `feed=longpoll` */
export function parameterOf(part: string): Parameter {
  const [name = '', value] = part.split('=');
  return { name, ...(value !== undefined && { value }) };
}

/** Parameters that one request may have together: of each, the last of its values. A filter comes besides. */
export const combinable: readonly string[] = probedParts.flatMap(({ name, request }, index) => {
  const parameter = parameterOf(name).name;
  const isLast = !probedParts.slice(index + 1).some((later) => parameterOf(later.name).name === parameter);
  return request && isLast ? [name] : [];
});

/** @returns a request with all of these parts */
export function requestWith(names: readonly string[]): Request {
  const requests = names.flatMap((name) => probedParts.find((part) => part.name === name)?.request ?? []);
  const json = requests.find((request) => request.json)?.json;
  return {
    query: Object.assign({}, ...requests.map(({ query }) => query)) as Request['query'],
    ...(json && { json }),
  };
}
