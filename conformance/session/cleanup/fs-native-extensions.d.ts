/** Types of the functions that docfeed uses: the package has none. */
declare module 'fs-native-extensions' {
  /** Takes an exclusive advisory lock on an open, writable file until the process ends. False if it is taken. */
  export function tryLock(fd: number): boolean;
}
