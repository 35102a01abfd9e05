import type { Fault } from '../../reference/index.js';
import * as files from './all-faults.js';
import { inCatalogueOrder } from './catalogue-order.js';

/** All faults: servers that break one rule each, in the order of the rule catalogue. */
export const faults: readonly Fault[] = inCatalogueOrder(Object.values(files).flat());
