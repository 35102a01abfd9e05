/** The lock of a journal tells a run that is alive from one that was killed. */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/**
 * The package has a native part, which some systems lack. It loads when a run writes its first journal.
 *
 * @returns a function that locks an open file until the process ends and is false if another process holds the lock;
 * `undefined` where files cannot be locked
 */
export function journalLock(): ((fd: number) => boolean) | undefined {
  try {
    return (require('fs-native-extensions') as typeof import('fs-native-extensions')).tryLock;
  } catch {
    return undefined;
  }
}
