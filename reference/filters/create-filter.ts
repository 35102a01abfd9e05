/** Which filter a request to the feed asks for (SERVICE 4.5, 4.6, 4.8). */
import { httpError } from '../http/errors.js';
import type { Database } from '../store/database.js';
import { designFunctionFilter } from './design-functions.js';
import type { Filter, FilterContext, FilterRequest } from './filter.js';
import { designDocumentFilter, documentIdFilter } from './id-filters.js';
import { ProgramFilter } from './program-filter.js';
import { requestObject } from './request-object.js';
import { compileSelector, SelectorError } from './evaluation/selector.js';

/**
 * @returns undefined when the request asks for no filter
 *
 * Rejects with 400 for what is no filter and with 404 when the design document or the function is missing.
 */
export async function createFilter(
  database: Database,
  { query, body }: FilterRequest,
  context: FilterContext,
): Promise<Filter | undefined> {
  const { workerPool } = context;
  switch (withoutRepetition(query.filter ?? '')) {
    case '':
      return undefined;
    case '_doc_ids': {
      const ids = body?.doc_ids ?? query.doc_ids;
      if (!ids) throw refused('`doc_ids` filter parameter is not a list of doc ids.');
      return documentIdFilter(ids);
    }
    case '_selector':
      if (body?.selector === undefined) throw refused('Selector must be specified in POST payload');
      checkSelector(body.selector);
      return new ProgramFilter('The selector', { kind: 'selector', selector: body.selector }, workerPool);
    case '_design':
      return designDocumentFilter;
    case '_view': {
      if (!query.view) throw refused('`view` filter parameter is not provided.');
      const [design, name] = namesIn(query.view, '`view` must be of the form `designname/viewname`');
      return designFunctionFilter(database, { kind: 'map', design, name }, workerPool);
    }
  }
  if (query.filter!.startsWith('_')) throw refused('unknown builtin filter name');
  const [design, name] = namesIn(query.filter!, '`filter` must be of the form `designname/filtername`');
  const request = requestObject(database, context, body);
  return designFunctionFilter(database, { kind: 'filter', design, name, request }, workerPool);
}

/** PouchDB writes `_design/_design`, as it doubles the name of any filter that has no slash. */
const withoutRepetition = (filter: string): string => filter.replace(/^(_[a-z_]+)\/\1$/, '$1');

function namesIn(path: string, problem: string): [design: string, name: string] {
  const [design, name, ...others] = path.split('/').filter((part) => part !== '');
  if (design === undefined || name === undefined || others.length > 0) throw refused(problem);
  return [design, name];
}

function checkSelector(selector: unknown): void {
  try {
    compileSelector(selector);
  } catch (error) {
    throw error instanceof SelectorError ? refused(error.message) : error;
  }
}

const refused = (reason: string) => httpError(400, 'bad_request', reason);
