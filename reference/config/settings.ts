/** What can be set, with the defaults. Read at each use, so that a changed setting applies at once. */
export interface Settings {
  /** The handlers that are asked who the caller is, in this order (SERVICE 2.8, 5). */
  readonly authenticationHandlers: readonly string[];
  /** `chttpd/changes_timeout`: default and maximum of the feed's `timeout`, in milliseconds (SERVICE 2.8, 8). */
  readonly changesTimeout: number;
  /** Processor time that a filter may take for one batch of documents, in milliseconds. */
  readonly filterCpuMs: number;
  /** The largest request body that is read, in bytes after decompression. Fixed at start. */
  readonly maxBodyBytes: number;
  /** Rounds of PBKDF2 for passwords that are hashed from now on. Stored hashes keep their own number. */
  readonly passwordIterations: number;
  /** Lifetime of a session cookie in seconds. */
  readonly sessionSeconds: number;
}

export const defaultSettings: Settings = {
  authenticationHandlers: ['cookie', 'default'],
  changesTimeout: 60_000,
  filterCpuMs: 5000,
  maxBodyBytes: 8 * 1024 * 1024,
  passwordIterations: 100_000,
  sessionSeconds: 600,
};
