/** The checks of the changes feed. */
import type { Check } from './check.js';
import { feedCallsChecks } from './feed-calls.js';
import { feedExtentChecks } from './feed-extent.js';
import { feedFormChecks } from './feed-form.js';
import { feedNormalChecks } from './feed-normal.js';
import { feedRowsChecks } from './feed-rows.js';
import { feedSinceChecks } from './feed-since.js';

export const feedChecks: readonly Check[] = [
  ...feedFormChecks,
  ...feedRowsChecks,
  ...feedSinceChecks,
  ...feedExtentChecks,
  ...feedCallsChecks,
  ...feedNormalChecks,
];
