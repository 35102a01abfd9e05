/**
 * Writes a view of the description, with Redoc: one file that loads nothing else.
 *
 *     tsx generators/description-page.ts FILE
 */
import { readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { execa } from 'execa';

const sources =
  "default-src 'none'; script-src 'unsafe-inline' data: blob:; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src data: blob:; worker-src blob:";

const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('usage: tsx generators/description-page.ts FILE');
await execa`npx redocly build-docs openapi/generated/service.json -o ${file}`;
await writeFile(file, await inlined(await readFile(file, 'utf8')));

/** Redocly's page loads Redoc, which the package has, from another server, and Redoc reports its use to one. */
async function inlined(page: string): Promise<string> {
  const redocly = dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json'));
  const redoc = await readFile(join(redocly, 'lib/chunks/redoc.standalone.js'), 'base64');
  const withoutPreload = page.replace(/<link rel="modulepreload"[^>]*>/, '');
  const result = withoutPreload.replace(
    /(?<=import \{ hydrate \} from ")[^"]+/,
    `data:text/javascript;base64,${redoc}`,
  );
  const policy = `<meta http-equiv="Content-Security-Policy" content="${sources}">`;
  if (result === withoutPreload)
    throw new Error('Redocly writes another page: it does not import `hydrate`.');
  return result
    .replace('<head>', `<head>${policy}`)
    .replace('"disableTelemetry":false', '"disableTelemetry":true');
}
