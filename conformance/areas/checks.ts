/** All checks, in the order of the rule catalogue. */
import type { Check } from '../target/check.js';
import * as files from './all-checks.js';
import { inCatalogueOrder } from './catalogue-order.js';

export const checks: readonly Check[] = inCatalogueOrder(Object.values(files).flat());
