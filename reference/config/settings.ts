/** What can be set, with the defaults. Read at each use, so that a changed setting applies at once. */
export interface Settings {
  /** The largest request body that is read, after decompression, in bytes. */
  readonly maxBodyBytes: number;
  /** Rounds of PBKDF2 for passwords that are hashed from now on. Stored hashes keep their own number. */
  readonly passwordIterations: number;
  /** Lifetime of a session cookie in seconds. */
  readonly sessionSeconds: number;
}

export const defaultSettings: Settings = {
  maxBodyBytes: 8 * 1024 * 1024,
  passwordIterations: 600_000,
  sessionSeconds: 600,
};
