/** Promise rejections without a handler: Node.js ends a program for them. */
import type { ExecutionContext } from 'ava';

/** Records unhandled rejections until the end of the test. AVA ignores them if they are handled later. */
export function unhandledRejections(t: Pick<ExecutionContext, 'teardown'>): readonly unknown[] {
  const reasons: unknown[] = [];
  const record = (reason: unknown): unknown => reasons.push(reason);
  process.on('unhandledRejection', record);
  t.teardown(() => process.off('unhandledRejection', record));
  return reasons;
}
