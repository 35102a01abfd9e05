/** Faults in the greeting. */
import { changeBody, changeResponse, faultsOf } from '../shared/components.faults.js';
import { isAdmin } from '../shared/sessions.faults.js';
import { unseen } from '../shared/unseen.js';

export const rootFaults = faultsOf({
  'root-greeting': {
    'root-uuid-not-hexadecimal': {
      summary: 'The server has a uuid with letters that are not hexadecimal digits.',
      replace: changeBody('getRoot', (body) => ({ ...body, uuid: 'server-0123456789abcdef' })),
    },
    'root-service-missing': {
      summary: 'The server omits the greeting text.',
      replace: changeBody('getRoot', (body) => ({ ...body, service: undefined })),
    },
    'root-service-object': {
      summary: 'The server sends administrators an object as the greeting text.',
      replace: changeBody('getRoot', (body, context) =>
        isAdmin(context) ? { ...body, service: { text: body['service'] } } : body,
      ),
    },
    'root-needs-credentials': {
      summary: 'The server rejects requests for the greeting without credentials.',
      replace: changeResponse('getRoot', (response, { user }) =>
        user.name === null
          ? { status: 401, body: { error: 'unauthorized', reason: 'Authentication required.' } }
          : response,
      ),
    },
    'root-version-number': {
      summary: 'The server sends administrators the version as a number.',
      replace: changeBody('getRoot', (body, context) =>
        isAdmin(context) ? { ...body, version: 3.4 } : body,
      ),
    },
    'root-not-for-users': {
      summary: 'The server rejects requests for the greeting from users who are not administrators.',
      notInTraffic: unseen.access,
      replace: changeResponse('getRoot', (response, context) =>
        context.user.name === null || isAdmin(context)
          ? response
          : { status: 403, body: { error: 'forbidden', reason: 'You are not a server admin.' } },
      ),
    },
  },
  'root-vendor': {
    'root-vendor-version-missing': {
      summary: 'The server sends a vendor without a version.',
      replace: changeBody('getRoot', (body) => ({ ...body, vendor: { name: 'docfeed' } })),
    },
    'root-vendor-version-number': {
      summary: 'The server sends the version of the vendor as a number.',
      replace: changeBody('getRoot', (body) => ({
        ...body,
        vendor: { ...(body['vendor'] as object), version: 1 },
      })),
    },
  },
});
