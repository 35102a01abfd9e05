/** Types of the function of fs-native-extensions that the server uses. */
declare module 'fs-native-extensions' {
  /** Tries to lock the whole file. The kernel holds the lock until the descriptor is closed. */
  export function tryLock(fd: number): boolean;
}
