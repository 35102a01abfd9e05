import { rules } from '../../openapi/generated/rules.js';
import type { Check } from '../session/scope/rule-checks.js';
import { ruleHomes } from './generated/rule-homes.js';

/** All checks of the suite, in the order of the rule catalogue. */
export const checks: readonly Check[] = rules.flatMap(({ id }) => ruleHomes[id].checks);
