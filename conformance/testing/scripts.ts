/** Runs the replay scripts of counterexamples against servers. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { scriptOf } from '../../reports/render/script.js';
import type { Report } from '../../reports/report.js';

export interface ScriptTrial {
  readonly check: string;
  /** Why the check has no script. */
  readonly none?: string;
  readonly output: string;
  /** The exit code for each server. */
  readonly codes: readonly (number | undefined)[];
}

/** Runs the script of each failed check against each server. */
export async function tryScripts(
  report: Report,
  admin: { name: string; password: string },
  servers: readonly (readonly string[])[],
): Promise<ScriptTrial[]> {
  const folder = await mkdtemp(join(tmpdir(), 'docfeed-script-'));
  try {
    const tried: ScriptTrial[] = [];
    for (const check of report.checks) {
      const script = scriptOf(report, check);
      if (!script) continue;
      if ('none' in script) {
        tried.push({ check: check.id, none: script.none, output: '', codes: [] });
        continue;
      }
      const file = join(folder, 'script.sh');
      await writeFile(file, script.text);
      const runs = [];
      for (const urls of servers) {
        const env = { DOCFEED_ADMIN: `${admin.name}:${admin.password}` };
        runs.push(await execa('bash', [file, ...urls], { env, all: true, reject: false }));
      }
      tried.push({
        check: check.id,
        output: runs.map(({ all }) => all).join('\n---\n'),
        codes: runs.map(({ exitCode }) => exitCode),
      });
    }
    return tried;
  } finally {
    await rm(folder, { recursive: true });
  }
}
