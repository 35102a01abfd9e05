import { rules } from '../../openapi/generated/rules.js';
import type { Fault } from '../../reference/index.js';
import * as files from './generated/fault-files.js';

const all = Object.values(files).flat();

/** All faults: servers that break one rule each, in the order of the rule catalogue. */
export const faults: readonly Fault[] = rules.flatMap(({ id }) => all.filter(({ rule }) => rule === id));
