/**
 * `npm run generate`: writes the generated files that changed. With `--check` it writes nothing and exits with 1 if a
 * file would change.
 */
import { join } from 'node:path';
import { InvalidInput } from './errors.js';
import { generate, type Outcome } from './generate.js';

const check = process.argv.includes('--check');

function report({ changed, stale }: Outcome): void {
  const [written, removed] = check ? ['would change', 'would be removed'] : ['written', 'removed'];
  for (const path of changed) process.stdout.write(`${path}: ${written}\n`);
  for (const path of stale) process.stdout.write(`${path}: ${removed}\n`);
  if (changed.length + stale.length === 0) {
    process.stdout.write('Everything is up to date.\n');
  } else if (check) {
    process.stderr.write('Generated files are out of date: run `npm run generate` and commit the result.\n');
    process.exitCode = 1;
  }
}

try {
  report(await generate(join(import.meta.dirname, '..'), { check }));
} catch (error) {
  if (!(error instanceof InvalidInput)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
