/** `npm run kill-test` finds what it is there to find. CI runs it for longer on the server without a defect. */
import test from 'ava';
import { emptyFolder } from '../../../reports/testing/folder.js';
import { acknowledgesEarly, withDefect } from '../../testing/defects.js';
import { killRounds } from './kill.js';
import { longLife } from './long-life.js';
import { program } from '../../../reports/testing/program.js';

const compiled = { program: [program] };
const log = () => {};

test.serial('12 kills, many of them in the middle of a write, lose no acknowledged data', async (t) => {
  const { acknowledged, rejected, unanswered, torn, incomplete } = await killRounds({
    // With this seed, the first kill comes with the first write.
    ...compiled,
    folder: await emptyFolder(t),
    rounds: 12,
    seed: 676_501,
  });
  t.true(acknowledged > 0 && rejected > 0 && unanswered > 0);
  t.true(torn >= 3 && incomplete >= 3, `${incomplete} of ${torn}`);
});

test.serial('a server that acknowledges writes before they are on disk fails', async (t) => {
  const lost = { ...acknowledgesEarly, folder: await emptyFolder(t), rounds: 8, seed: 2 };
  const error = await t.throwsAsync(killRounds(lost));
  // Late writes can also overlap, so that the journal is damaged.
  t.true(error.name === 'AssertionError' || / is damaged at byte /.test(error.message), error.message);
});

test.serial('a server that keeps requests fails', async (t) => {
  const kept = {
    ...withDefect('keeps-requests'),
    folder: await emptyFolder(t),
    seconds: 15,
    seed: 1,
    log,
  };
  const leaks = await longLife(kept);
  t.regex(leaks.join('\n'), /^kept: grew by [\d.]+ MiB/);
});

test.serial('a server that breaks connections fails', async (t) => {
  const broken = {
    ...withDefect('breaks-connections'),
    folder: await emptyFolder(t),
    seconds: 8,
    seed: 1,
    log,
  };
  await t.throwsAsync(longLife(broken), { message: /other side closed|terminated|ECONNRESET/ });
});
