/** Runs the program for tests, and a server with one violation. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { execaNode, type Options } from 'execa';
import type { Components } from '../../../reference/index.js';
import type { Report } from '../../../reports/report.js';
import { admin } from '../../testing/reference.js';
import { program } from '../../../reports/testing/program.js';

// Tests without `--admin` have no administrator.
delete process.env['DOCFEED_ADMIN'];

// These tests must not see the journals of other runs on this machine.
process.env['XDG_STATE_HOME'] = await mkdtemp(join(tmpdir(), 'docfeed-state-'));
test.after.always(() => rm(process.env['XDG_STATE_HOME']!, { recursive: true, force: true }));

export const credentials = `${admin.name}:${admin.password}`;

/** Runs `docfeed check` in a process of its own. */
export const docfeed = (args: readonly string[], options: Options = {}) =>
  execaNode(program, ['check', ...args], {
    reject: false,
    env: { NO_COLOR: '1' },
    ...options,
  });

export async function reportIn(dir: string): Promise<Report> {
  return JSON.parse(await readFile(join(dir, 'report.json'), 'utf8')) as Report;
}

/** Components of a server whose greeting lacks the version of the vendor. */
export const withoutVendorVersion = (components: Components): Components => ({
  ...components,
  handlers: {
    ...components.handlers,
    async getRoot(request, context) {
      const response = await components.handlers.getRoot(request, context);
      return { ...response, body: { ...response.body, vendor: { name: 'x' } } } as never;
    },
  },
});
