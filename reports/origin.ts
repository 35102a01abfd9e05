/** Where results come from, so that published results can be repeated. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import type { Environment } from './report.js';

const packageFile = createRequire(import.meta.url).resolve('docfeed/package.json');

/** The folder of the package, also if the program runs from `dist/`. */
export const packageFolder = dirname(packageFile);

/** The version of docfeed, such as `0.1.0`. */
export const docfeedVersion = (createRequire(import.meta.url)(packageFile) as { version: string }).version;

let current: Environment | undefined;

/**
 * The commit is absent in an installed package, which is identified by its version. A process asks git once: what it has
 * loaded does not change.
 */
export const currentEnvironment = (): Environment => (current ??= readEnvironment());

function readEnvironment(): Environment {
  const commit = commitOf(packageFolder);
  return {
    ...(commit !== undefined && { commit }),
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
  };
}

/** @returns for example `commit 81e4412a1f0c, Node.js v20.20.0, linux x64, 2 cores` */
export function renderEnvironment({ commit, node, platform, cores }: Environment): string {
  const program = commit === undefined ? '' : `commit ${commit}, `;
  return `${program}Node.js ${node}, ${platform}, ${cores} ${cores === 1 ? 'core' : 'cores'}`;
}

/**
 * @returns for example `81e4412a1f0c`, or `81e4412a1f0c-dirty` with uncommitted changes other than those of documents and
 * published results, which a measurement makes; undefined outside a clone.
 */
function commitOf(folder: string): string | undefined {
  // Otherwise git would find a repository that the package is installed in.
  if (!existsSync(join(folder, '.git'))) return undefined;
  const git = (...args: string[]): string =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const commit = git('rev-parse', '--short=12', 'HEAD');
    const changes = git('status', '--porcelain', '--untracked-files=no', '.', ':!reports/results', ':!*.md');
    return changes === '' ? commit : `${commit}-dirty`;
  } catch {
    return undefined;
  }
}
