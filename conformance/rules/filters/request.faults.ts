/** Faults in the request object that filter functions get. */
import { faultsOf, type JsonObject, type RuleFault } from '../shared/components.faults.js';
import { changeRequestObject } from '../shared/filters.faults.js';

const members = [
  'info',
  'uuid',
  'id',
  'method',
  'requested_path',
  'path',
  'raw_path',
  'query',
  'headers',
  'body',
  'peer',
  'form',
  'cookie',
  'userCtx',
  'secObj',
];

/** A request object without one of its members. */
const missing = members.map((member): RuleFault => ({
  id: `function-request-without-${member.toLowerCase().replace('_', '-')}`,
  rule: 'filter-function',
  summary: `The server omits ${member} from the request object of filter functions.`,
  replace: changeRequestObject(() => ({ [member]: undefined })),
}));

const userOf = (request: JsonObject): JsonObject => request['userCtx'] as JsonObject;

export const filterRequestFaults: readonly RuleFault[] = [
  ...missing,
  ...faultsOf({
    'filter-function': {
      'function-user-unnamed': {
        summary: 'The server hides the name of the user from filter functions.',
        replace: changeRequestObject((request) => ({ userCtx: { ...userOf(request), name: null } })),
      },
      'function-user-without-roles': {
        summary: 'The server hides the roles of the user from filter functions.',
        replace: changeRequestObject((request) => ({ userCtx: { ...userOf(request), roles: [] } })),
      },
      'function-user-missing-in-longpoll': {
        summary: 'The server omits userCtx from the request object of filter functions in longpoll mode.',
        replace: changeRequestObject((_, { query }) =>
          query.feed === 'longpoll' ? { userCtx: undefined } : {},
        ),
      },
      'function-body-of-post-empty': {
        summary: 'The server passes an empty body to filter functions in a POST request.',
        replace: changeRequestObject(({ method }) => (method === 'POST' ? { body: {} } : {})),
      },
    },
  }),
];
