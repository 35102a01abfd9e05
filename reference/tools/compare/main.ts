/** `npm run compare -- URL_A URL_B`: sends the same requests to two servers and prints the differences. */
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import picomatch from 'picomatch';
import { parseAdministrator, wrongUsage } from '../../commands/arguments.js';
import { adminOption, runTool } from '../command-line.js';
import { compare, type Difference } from './compare.js';
import {
  classifyDifferences,
  pageFile,
  readExpectedDifferences,
  renderPage,
} from './expected-differences.js';
import { readEntries } from './requests.js';

interface Options {
  readonly admin?: string;
  readonly only?: string;
  readonly write?: boolean;
}

const program = new Command('compare')
  .description('send the same requests to two servers and print the differences between their responses')
  .argument('[url...]', 'the two servers')
  .addOption(adminOption('administrator of both servers'))
  .option('--only <glob>', 'send only matching requests')
  .option('--write', 'only write reference/DIFFERENCES.md')
  .addHelpText(
    'after',
    '\nExit codes: 0 no unexpected difference, 1 unexpected differences, 2 invalid arguments,\n3 the comparison failed.',
  )
  .action(run);

await runTool(program);

async function run(urls: readonly string[], { admin, only = '*', write }: Options): Promise<void> {
  const expected = await readExpectedDifferences();
  if (write) return writeFile(pageFile, await renderPage(expected));

  const [a, b, ...more] = urls;
  if (a === undefined || b === undefined || more.length > 0) throw wrongUsage('two server URLs are required');
  for (const url of urls) if (!URL.canParse(url)) throw wrongUsage(`${url} is not a URL`);
  const entries = (await readEntries()).filter(({ name }) => picomatch.isMatch(name, only));
  if (entries.length === 0) throw wrongUsage(`no request matches ${only}`);

  process.stderr.write(`sending ${entries.length} requests to each server\n`);
  const { vendors, differences } = await compare([a, b], parseAdministrator(admin), entries);
  const hasExpectations = vendors.every((vendor, index) => vendor === expected.vendors[index]);
  if (!hasExpectations)
    process.stderr.write(
      `the expected differences are of ${expected.vendors.join(' and ')}, in this order, not of ${vendors.join(' and ')}\n`,
    );
  const { unexpected, stale } = classifyDifferences(
    differences,
    hasExpectations ? expected.groups.flatMap((group) => group.differences) : [],
  );
  // With a part of the requests, missing differences mean nothing.
  const gone = entries.length === (await readEntries()).length ? stale : [];

  for (const difference of unexpected) process.stdout.write(line(difference));
  for (const { request, path, what } of gone)
    process.stdout.write(`${request} ${path}: no longer differs; remove it from "${what}"\n`);
  const expectedCount = differences.length - unexpected.length;
  process.stdout.write(`${unexpected.length} unexpected differences, ${expectedCount} expected\n`);
  if (unexpected.length + gone.length > 0) process.exitCode = 1;
}

function line({ request, path, a = 'nothing', b = 'nothing' }: Difference): string {
  return `${request} ${path}: ${a}  |  ${b}\n`;
}
