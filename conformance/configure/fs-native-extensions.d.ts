/** What is used of the package, which has no types of its own. */
declare module 'fs-native-extensions' {
  /** An exclusive advisory lock on an open, writable file; it dies with the process. False when another has it. */
  export function tryLock(fd: number): boolean;
}
