/** Faults in how invalid selectors are rejected. */
import { type Fault } from '../../reference/index.js';
import { askingFilter, readingSelector } from './shared/filters.js';

export const filterErrorsFaults: readonly Fault[] = [
  {
    id: 'selector-missing-lets-all-pass',
    rule: 'error-selector-missing',
    summary: 'Without a selector everything passes.',
    replace: askingFilter((request) =>
      request.query.filter === '_selector' && request.body?.selector === undefined
        ? { request: { ...request, query: { ...request.query, filter: undefined } } }
        : {},
    ),
  },
  {
    id: 'selector-missing-not-found',
    rule: 'error-selector-missing',
    summary: 'That the selector is missing is called "not_found".',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const body = parts.errorBody(boom, dialect);
        return /^Selector must be/.test(body.reason) ? { ...body, error: 'not_found' } : body;
      },
    }),
  },
  {
    id: 'selector-not-object-unsaid',
    rule: 'error-selector-not-object',
    summary: 'The refusal of a selector that is no object does not say what is wrong.',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const body = parts.errorBody(boom, dialect);
        return body.reason === 'Selector error: expected a JSON object'
          ? { ...body, reason: 'Invalid request' }
          : body;
      },
    }),
  },
  {
    id: 'selector-not-object-error',
    rule: 'error-selector-not-object',
    summary: 'The error of a selector that is no object has a name of its own.',
    replace: (parts) => ({
      ...parts,
      errorBody(boom, dialect) {
        const body = parts.errorBody(boom, dialect);
        return body.reason === 'Selector error: expected a JSON object'
          ? { ...body, error: 'selector_error' }
          : body;
      },
    }),
  },
  {
    id: 'selector-invalid-unnoticed',
    rule: 'error-selector-invalid',
    summary: 'A wrong selector is noticed only when there is a document to judge.',
    replace: (parts) => ({
      ...parts,
      async createFilter(database, request, context) {
        try {
          return await parts.createFilter(database, request, context);
        } catch (error) {
          if (database.position > 0 || request.query.filter !== '_selector') throw error;
          return undefined;
        }
      },
    }),
  },
  {
    id: 'selector-exists-any',
    rule: 'error-selector-invalid',
    summary: '$exists takes any argument for true.',
    replace: readingSelector((selector) => selector.replaceAll(/"\$exists":"[^"]*"/g, '"$exists":true')),
  },
];
