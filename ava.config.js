/**
 * The tests of `npm test`. Files that take more than three seconds are `*.long.test.ts`: see ava.long.config.js.
 *
 * Tests, and the programs that they start, run as JavaScript in `compiled/`: a process that compiles what it loads needs
 * three times as much processor time to start. Each run compiles what has changed first.
 */
import { readdir, rm, stat, utimes } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { build } from 'esbuild';

const folders = ['bin', 'conformance', 'generators', 'openapi', 'reference', 'reports'];
const compiled = 'compiled';

const filesIn = async (folder) =>
  (await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));

/** Also copies the files that are no modules, since tests find them beside themselves. */
async function compile() {
  const sources = (await Promise.all(folders.map(filesIn))).flat();
  const configured = await stat(import.meta.filename);
  const files = await Promise.all(
    sources.map(async (source) => {
      const output = join(compiled, source.replace(/\.ts$/, '.js'));
      const [{ mtime }, last] = await Promise.all([stat(source), stat(output).catch(() => undefined)]);
      // An output has the time of its source, so that an older file in the place of a newer one counts as changed.
      const isCurrent = last?.mtime.getTime() === mtime.getTime() && last.ctime > configured.ctime;
      return { source, output, mtime, isCurrent };
    }),
  );
  const changed = files.filter(({ isCurrent }) => !isCurrent);
  await build({
    entryPoints: changed.map(({ source }) => source),
    outdir: compiled,
    outbase: '.',
    platform: 'node',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcesContent: false,
    loader: { ...Object.fromEntries(sources.map((source) => [extname(source), 'copy'])), '.ts': 'ts' },
  });
  await Promise.all(changed.map(({ output, mtime }) => utimes(output, mtime, mtime)));
  const outputs = new Set(files.map(({ output }) => output));
  const leftOver = (await filesIn(compiled)).filter((file) => !outputs.has(file));
  await Promise.all(leftOver.map((file) => rm(file)));
}

await compile();

export default {
  typescript: {
    compile: false,
    rewritePaths: Object.fromEntries(folders.map((folder) => [`${folder}/`, `${compiled}/${folder}/`])),
  },
  files: [`{${folders.join(',')}}/**/*.test.ts`, '!**/*.long.test.ts'],
  timeout: '60s',
  workerThreads: false,
};
