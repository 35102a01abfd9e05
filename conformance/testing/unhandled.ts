/** Rejections that nobody has asked about when they come: Node.js ends a program for them. */
import type { ExecutionContext } from 'ava';

/** Those that come until the end of the test, which ava forgives when somebody asks later. */
export function unhandledRejections(t: Pick<ExecutionContext, 'teardown'>): readonly unknown[] {
  const reasons: unknown[] = [];
  const note = (reason: unknown): unknown => reasons.push(reason);
  process.on('unhandledRejection', note);
  t.teardown(() => process.off('unhandledRejection', note));
  return reasons;
}
