/** The part of fs-native-extensions that is used here: the package has no types. */
declare module 'fs-native-extensions' {
  /** Whether the whole file is locked now. The kernel holds the lock for as long as the descriptor is open. */
  export function tryLock(fd: number): boolean;
}
