import type { Check } from '../session/scope/target-check.js';
import * as files from './all-checks.js';
import { inCatalogueOrder } from './catalogue-order.js';

/** All checks of the suite, in the order of the rule catalogue. */
export const checks: readonly Check[] = inCatalogueOrder(Object.values(files).flat());
