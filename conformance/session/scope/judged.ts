/** A check passes only if it has judged a response of an operation that its rule is about. */
import { NothingJudged } from '../../engine/outcomes.js';
import type { RecordedExchange } from '../../../reports/report.js';
import type { Rule } from '../../../openapi/generated/rules.js';
import { describeResponse, operationName } from '../../http/describe-response.js';
import type { Description } from '../../http/description.js';
import type { TargetEvidence } from './target-evidence.js';

/** The component of the description that a rule about error responses names. */
export const errorSchema = 'schemas/ErrorBody';

/**
 * An error response is never read as a feed. Other operations may refuse a request, and a rule may be about that, unless
 * they refuse it because they do not exist.
 *
 * @param isMissing whether an exchange shows that the target does not have its endpoint
 * @throws NothingJudged if the check has sent requests that its rule is about, and judged no response to them
 */
export function mustHaveJudged(
  { operations, components }: Rule,
  { answers }: TargetEvidence,
  description: Description,
  isMissing: (exchange: RecordedExchange) => boolean,
): void {
  const related = answers.flatMap((answer) => {
    const { method = 'GET', path } = answer.request;
    const operation = description.operation(method, path);
    if (!operation || !operations.includes(operation.id)) return [];
    const isFeed = description.place(method, path, new URLSearchParams())?.mode !== undefined;
    return { ...answer, method, path, mayRefuse: !isFeed || components.includes(errorSchema) };
  });
  const isJudged = related.some(
    ({ status, mayRefuse, record }) =>
      status !== undefined && (status < 400 || (mayRefuse && !isMissing(record()))),
  );
  const shown = related.find(({ status }) => status !== undefined) ?? related[0];
  if (isJudged || !shown) return;
  const { method, path, status, record } = shown;
  const obstacle =
    status === undefined
      ? `${operationName(method, path)} is not answered`
      : describeResponse({ method, path, status });
  throw new NothingJudged(`The check has judged nothing: ${obstacle}.`, { obstacle, shownBy: record() });
}
