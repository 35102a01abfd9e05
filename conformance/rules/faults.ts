import { rules } from '../../openapi/generated/rules.js';
import * as files from './generated/fault-files.js';
import type { RuleFault } from './shared/components.faults.js';

const all: readonly RuleFault[] = Object.values(files).flat();

/** All faults: servers that break one rule each, in the order of the rule catalogue. */
export const faults: readonly RuleFault[] = rules.flatMap(({ id }) => all.filter(({ rule }) => rule === id));
