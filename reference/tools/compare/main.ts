/** `npm run compare -- URL_A URL_B`: sends one list of requests to two servers and prints what they answer differently. */
import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import picomatch from 'picomatch';
import { administratorFrom, adminOption, runTool, wrongUsage } from '../command-line.js';
import { compare, type Difference } from './compare.js';
import { classifyDifferences, readExpectedDifferences, renderPage } from './expected-differences.js';
import { formatPage, pageFile } from './differences-page.js';
import { readEntries } from './requests.js';

interface Options {
  readonly admin?: string;
  readonly only?: string;
  readonly json?: boolean;
  readonly write?: boolean;
}

const program = new Command('compare')
  .description('send one list of requests to two servers and print what they answer differently')
  .argument('[url...]', 'the two servers')
  .addOption(adminOption('administrator of both'))
  .option('--only <glob>', 'only requests whose name fits')
  .option('--json', 'print all differences, expected ones too, as JSON')
  .option('--write', 'write reference/DIFFERENCES.md, and send nothing')
  .addHelpText(
    'after',
    '\nExit codes: 0 no unexpected difference, 1 some, 2 the command line is wrong,\n3 they could not be compared.',
  )
  .action(run);

await runTool(program);

async function run(urls: readonly string[], { admin, only = '*', json, write }: Options): Promise<void> {
  const expected = await readExpectedDifferences();
  if (write) return writeFile(pageFile, await formatPage(renderPage(expected)));

  const [a, b, ...more] = urls;
  if (a === undefined || b === undefined || more.length > 0) throw wrongUsage('give the URLs of two servers');
  for (const url of urls) if (!URL.canParse(url)) throw wrongUsage(`${url} is not a URL`);
  const entries = (await readEntries()).filter(({ name }) => picomatch.isMatch(name, only));
  if (entries.length === 0) throw wrongUsage(`there is no request ${only}`);

  process.stderr.write(`sending ${entries.length} requests to each\n`);
  const { vendors, differences } = await compare([a, b], administratorFrom(admin), entries);
  const isListed = vendors.every((vendor, index) => vendor === expected.vendors[index]);
  if (!isListed) process.stderr.write(`no differences are expected between ${vendors.join(' and ')}\n`);
  const { unexpected, stale } = classifyDifferences(
    differences,
    isListed ? expected.groups.flatMap((group) => group.differences) : [],
  );
  // Of a part of the list it cannot be said that a difference is gone.
  const gone = entries.length === (await readEntries()).length ? stale : [];

  if (json) process.stdout.write(`${JSON.stringify({ differences, unexpected, gone }, null, 2)}\n`);
  else {
    for (const difference of unexpected) process.stdout.write(line(difference));
    for (const { request, path, what } of gone)
      process.stdout.write(`${request} ${path}: does not differ any more; take it out of "${what}"\n`);
    const explained = differences.length - unexpected.length;
    process.stdout.write(`${unexpected.length} unexpected differences, ${explained} expected\n`);
  }
  if (unexpected.length + gone.length > 0) process.exitCode = 1;
}

function line({ request, path, a = 'nothing', b = 'nothing' }: Difference): string {
  return `${request} ${path}: ${a}  |  ${b}\n`;
}
