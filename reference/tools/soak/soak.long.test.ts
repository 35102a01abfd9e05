/** `npm run soak` finds what it is there to find. CI runs it for longer on the server without a defect. */
import test from 'ava';
import { withDefect } from '../../testing/defects.js';
import { soak } from './soak.js';

const log = () => {};

for (const [id, seconds, problem] of [
  ['keeps-requests', 15, /^kept: grew by [\d.]+ MiB/],
  ['breaks-connections', 8, /a request failed: other side closed/],
] as const) {
  test.serial(`a server that ${id.replace('-', ' ')} fails`, async (t) => {
    const { problems } = await soak({ ...withDefect(id), seconds, kills: 1, log });
    t.true(
      problems.some((found) => problem.test(found)),
      problems.join('\n'),
    );
  });
}
