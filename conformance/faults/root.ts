/** Faults in the greeting. */
import { type Fault } from '../../reference/index.js';
import { answering, bodyOf } from './shared/components.js';
import { isAdmin } from './shared/sessions.js';

export const rootFaults: readonly Fault[] = [
  {
    id: 'root-uuid-not-hexadecimal',
    rule: 'root-greeting',
    summary: 'The identifier of the server has a letter beyond f.',
    replace: answering('getRoot', (answer) => ({
      ...answer,
      body: { ...bodyOf(answer), uuid: 'server-0123456789abcdef' },
    })),
  },
  {
    id: 'root-version-number',
    rule: 'root-greeting',
    summary: 'To the administrator the version is a number.',
    replace: answering('getRoot', (answer, context) => ({
      ...answer,
      body: isAdmin(context) ? { ...bodyOf(answer), version: 3.4 } : answer.body,
    })),
  },
  {
    id: 'root-vendor-version-missing',
    rule: 'root-vendor',
    summary: 'The vendor has a name and no version.',
    replace: answering('getRoot', (answer) => ({
      ...answer,
      body: { ...bodyOf(answer), vendor: { name: 'docfeed' } },
    })),
  },
  {
    id: 'root-vendor-version-number',
    rule: 'root-vendor',
    summary: 'The version of the vendor is a number.',
    replace: answering('getRoot', (answer) => ({
      ...answer,
      body: { ...bodyOf(answer), vendor: { ...(bodyOf(answer)['vendor'] as object), version: 1 } },
    })),
  },
];
