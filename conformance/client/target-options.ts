/** What the user says of the target, in a file and by flags. */
import { Refusal } from '../verdict/refusal.js';
import type { CapabilityStatus } from './capabilities.js';
import { declaredCapability } from './declared-capabilities.js';
import type { TargetFile } from './target-file.js';

export const defaultTargetFile = 'docfeed.target.yaml';

export interface TargetOptions extends TargetFile {
  /** The file, for messages; of no matter when it says nothing. */
  readonly file: string;
}

const nothing: TargetFile = { keys: [], settings: {}, declared: [], secrets: [] };

/** @throws Refusal when the file or a flag is wrong. */
export async function readTargetOptions(options: {
  target?: string;
  claim?: readonly string[];
  deny?: readonly string[];
}): Promise<TargetOptions> {
  const { target: file, claim = [], deny = [] } = options;
  const told = file === undefined ? nothing : await (await import('./target-file.js')).readTargetFile(file);
  const flagged = [
    ...claim.map((name) => flag('--claim', name, true)),
    ...deny.map((name) => flag('--deny', name, false)),
  ];
  // The last word on a capability counts, and flags come after the file.
  return { ...told, declared: [...told.declared, ...flagged], file: file ?? 'the target file' };
}

function flag(option: string, name: string, available: boolean): CapabilityStatus {
  const claim = declaredCapability(name, available, `${option} says so`);
  if (typeof claim === 'string') throw new Refusal('usage', `${option} ${name} ${claim}`);
  return claim;
}
