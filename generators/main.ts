/**
 * `npm run generate`: writes what is made of the description, and only what has changed.
 * With `--check` it writes nothing and exits with 1 when something would change.
 */
import { join } from 'node:path';
import { InvalidInput } from './errors.js';
import { generate, type Outcome } from './generate.js';

const check = process.argv.includes('--check');

function report({ changed, stale }: Outcome): void {
  const [writing, removing] = check ? ['would change', 'would be removed'] : ['written', 'removed'];
  for (const path of changed) process.stdout.write(`${path}: ${writing}\n`);
  for (const path of stale) process.stdout.write(`${path}: ${removing}\n`);
  if (changed.length + stale.length === 0) {
    process.stdout.write('Everything is up to date.\n');
  } else if (check) {
    process.stderr.write(
      'Generated files differ from openapi/: run `npm run generate` and commit the result.\n',
    );
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
