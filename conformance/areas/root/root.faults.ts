/** Faults in the greeting. */
import type { Fault } from '../../../reference/index.js';
import { changeBody, changeResponse } from '../shared/components.faults.js';
import { isAdmin } from '../shared/sessions.faults.js';

export const rootFaults: readonly Fault[] = [
  {
    id: 'root-uuid-not-hexadecimal',
    rule: 'root-greeting',
    summary: 'The server has a uuid with letters that are not hexadecimal digits.',
    replace: changeBody('getRoot', (body) => ({ ...body, uuid: 'server-0123456789abcdef' })),
  },
  {
    id: 'root-service-missing',
    rule: 'root-greeting',
    summary: 'The server omits the greeting text.',
    replace: changeBody('getRoot', (body) => ({ ...body, service: undefined })),
  },
  {
    id: 'root-service-object',
    rule: 'root-greeting',
    summary: 'The server sends administrators an object as the greeting text.',
    replace: changeBody('getRoot', (body, context) =>
      isAdmin(context) ? { ...body, service: { text: body['service'] } } : body,
    ),
  },
  {
    id: 'root-needs-credentials',
    rule: 'root-greeting',
    summary: 'The server rejects requests for the greeting without credentials.',
    replace: changeResponse('getRoot', (response, { user }) =>
      user.name === null
        ? { status: 401, body: { error: 'unauthorized', reason: 'Authentication required.' } }
        : response,
    ),
  },
  {
    id: 'root-version-number',
    rule: 'root-greeting',
    summary: 'The server sends administrators the version as a number.',
    replace: changeBody('getRoot', (body, context) => (isAdmin(context) ? { ...body, version: 3.4 } : body)),
  },
  {
    id: 'root-vendor-version-missing',
    rule: 'root-vendor',
    summary: 'The server sends a vendor without a version.',
    replace: changeBody('getRoot', (body) => ({ ...body, vendor: { name: 'docfeed' } })),
  },
  {
    id: 'root-vendor-version-number',
    rule: 'root-vendor',
    summary: 'The server sends the version of the vendor as a number.',
    replace: changeBody('getRoot', (body) => ({
      ...body,
      vendor: { ...(body['vendor'] as object), version: 1 },
    })),
  },
  {
    id: 'root-not-for-users',
    rule: 'root-greeting',
    summary: 'The server rejects requests for the greeting from users who are not administrators.',
    replace: changeResponse('getRoot', (response, context) =>
      context.user.name === null || isAdmin(context)
        ? response
        : { status: 403, body: { error: 'forbidden', reason: 'You are not a server admin.' } },
    ),
  },
];
