import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** @returns what axe finds wrong with the page as it is shown now, one line for each finding. */
export async function accessibilityProblems(page: Page): Promise<string[]> {
  // The Content Security Policy of a page does not apply to `evaluate`.
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run().then(({ violations }) => violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ': ' + failureSummary)))`);
}
