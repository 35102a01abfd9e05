/** The endpoints of a target: which are there, which are wrong, which are missing; for feeds by mode. */
import { groupBy } from './group.js';
import { mostUrgentFirst } from './outcomes.js';
import type { Endpoint, Outcome, Report } from './report.js';

export interface EndpointState {
  readonly operation: string;
  readonly mode?: string;
  /** Such as `there`, `wrong`, `missing` or `only 403`. */
  readonly label: string;
  /** The outcome in whose style a page shows the state. */
  readonly outcome: Outcome;
  /** The check that shows most urgently what is wrong. */
  readonly check?: string;
}

export interface EndpointTable {
  /** Operations that have modes, and the modes: the table has a cell for each pair that the run has seen. */
  readonly operations: readonly string[];
  readonly modes: readonly string[];
  readonly cellOf: (operation: string, mode: string) => EndpointState | undefined;
  /** The other operations by label, what is wrong first. */
  readonly others: readonly (readonly [label: string, states: readonly EndpointState[]])[];
}

const outcomeOf = {
  there: 'pass',
  missing: 'blocked',
  ignored: 'blocked',
  refused: 'skipped',
} as const satisfies Record<Endpoint['state'], Outcome>;

/** @returns `undefined` if the report does not say what the run saw */
export function endpointTable({ target, checks }: Report): EndpointTable | undefined {
  const { endpoints = [] } = target;
  if (endpoints.length === 0) return undefined;
  const states = endpoints.map(({ operation, mode, state, status, violatedBy }): EndpointState => {
    const [check] = mostUrgentFirst(checks.filter(({ id }) => violatedBy.includes(id)));
    return {
      operation,
      ...(mode !== undefined && { mode }),
      ...(check && { check: check.id }),
      ...(check && state === 'there'
        ? check.outcome === 'known'
          ? { label: 'known', outcome: 'known' }
          : { label: 'wrong', outcome: 'fail' }
        : { label: state === 'refused' ? `only ${status}` : state, outcome: outcomeOf[state] }),
    };
  });
  const moded = states.filter(({ mode }) => mode !== undefined);
  return {
    operations: [...new Set(moded.map(({ operation }) => operation))],
    modes: [...new Set(moded.map(({ mode }) => mode!))],
    cellOf: (operation, mode) => moded.find((one) => one.operation === operation && one.mode === mode),
    others: groupBy(mostUrgentFirst(states.filter(({ mode }) => mode === undefined)), ({ label }) => label),
  };
}
