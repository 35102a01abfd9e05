/** `openapi/generated/rules/<id>.md`: a page for each rule. */
import type { Rule } from './rules.js';
import { render } from './templates.js';

/** What the suite has for the rules. */
export interface Suite {
  checks: readonly { id: string; rule: string }[];
  faults: readonly { id: string; rule: string; summary: string }[];
}

/** The Markdown of a rule's page, not yet formatted. */
export function rulePage(rule: Rule, { checks, faults }: Suite): string {
  const code = (names: string[]) => names.map((name) => `\`${name}\``).join(', ');
  return render('rule-page', {
    rule,
    sections: rule.source.map((section) => `SERVICE ${section}`).join(', '),
    needs: code(rule.needs) || 'nothing: any target',
    operations: code(rule.operations) || 'all',
    checks: checks.filter((check) => check.rule === rule.id),
    faults: faults.filter((fault) => fault.rule === rule.id),
  });
}
