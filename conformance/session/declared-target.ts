/** Combines what the user declares about the target in the target file and with flags. */
import coerce from 'semver/functions/coerce.js';
import { Refusal } from '../engine/refusal.js';
import type { CapabilityStatus } from './probe/capabilities.js';
import { capabilityNamed, declaredCapability } from './probe/declared-capabilities.js';
import type { ConformanceOptions } from './conformance-options.js';
import type { TargetFile } from './target-file.js';

export interface TargetOptions extends TargetFile {
  /** Name of the target file, for messages. */
  readonly file: string;
}

const emptyTargetFile: TargetFile = {
  keys: [],
  settings: {},
  declared: [],
  required: [],
  databases: {},
  secrets: [],
};

/** @throws Refusal if the file or a flag is invalid. */
export async function readTargetOptions({
  target: file,
  have = [],
  lack = [],
  require = [],
  serviceVersion,
}: Omit<ConformanceOptions, 'urls'>): Promise<TargetOptions> {
  const content = file === undefined ? emptyTargetFile : await readFile(file);
  const refuse = (option: string, name: string) => (problem: string) => {
    throw new Refusal('usage', `${option} ${name} ${problem}`);
  };
  const declare = (option: string, name: string): CapabilityStatus =>
    declaredCapability(name, option === '--have', `declared with ${option}`, refuse(option, name));
  const flags = [
    ...have.map((name) => declare('--have', name)),
    ...lack.map((name) => declare('--lack', name)),
  ];
  if (serviceVersion !== undefined && !coerce(serviceVersion)) {
    throw new Refusal('usage', `"${serviceVersion}" is not a service version such as 3.4 or 3.3.2`);
  }
  // The last declaration of a capability counts, so flags override the file.
  return {
    ...content,
    declared: [...content.declared, ...flags],
    required: [
      ...content.required,
      ...require.map((name) => capabilityNamed(name, refuse('--require', name))),
    ],
    file: file ?? 'the target file',
  };
}

/** Loads the YAML parser only if there is a file. */
async function readFile(file: string): Promise<TargetFile> {
  const { readTargetFile } = await import('./target-file.js');
  return readTargetFile(file);
}
