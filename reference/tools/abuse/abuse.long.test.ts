/** `npm run abuse` finds what it is there to find. CI runs it on the server without a defect. */
import test from 'ava';
import { withDefect } from '../../testing/defects.js';
import { runScenario } from './run-scenario.js';
import { scenarios } from './scenarios.js';

for (const [id, name, problem] of [
  ['collects-lists', '_all_docs of 555 MB', /^the server grew by \d+ MiB for 200 MiB; at most 100/],
  [
    'collects-lists',
    'five stalled readers of 105 MB',
    /^the server grew by \d+ MiB for 525 MiB; at most 262/,
  ],
  ['blocks-others', '_all_docs with 500,000 items', /^the p99 of `GET \/` grew by \d+ ms/],
  ['makes-filters-wait', '20 endless filters', /^the slowest feed of another user began after \d+ ms/],
] as const) {
  test.serial(`a server that ${id.replaceAll('-', ' ')} fails: ${name}`, async (t) => {
    const scenario = scenarios.find((candidate) => candidate.name === name)!;
    const { problems, outcome } = await runScenario(scenario, true, withDefect(id));
    t.true(
      problems.some((found) => problem.test(found)),
      [...problems, outcome].join('\n'),
    );
  });
}
