import type { Profile } from '../engine/check.js';

/** The parsed options of `docfeed selftest`. */
export interface SelftestOptions {
  readonly only?: string[];
  readonly seeds: number;
  readonly variations?: number;
  readonly repeat: number;
  readonly profile: Profile;
  readonly seed: number;
  readonly cases?: number;
  readonly jobs?: number;
  readonly resume?: boolean;
  readonly reportDir: string;
  readonly json?: boolean;
}
