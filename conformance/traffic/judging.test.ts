import test from 'ava';
import { Judging } from './judging.js';

const options = {
  target: 'http://127.0.0.1/',
  dialect: 'service',
  hasOneCopy: true,
  requiredClaims: [],
  bodies: false,
  toShowMore: '',
  prefix: '',
  timeOrigin: performance.timeOrigin,
} as const;

test('verdicts that cannot wait give up what waits, and say how much', async (t) => {
  const judging = await Judging.start(options, { onFinding: () => {}, onNotice: () => {} });
  const bytes = Buffer.alloc(200_000);
  for (let count = 0; count < 200; count += 1)
    judging.onEvent({ kind: 'upload', exchange: 1, at: performance.now(), bytes });
  const { waitingBytes } = judging;
  const { rules } = await judging.verdicts(0);
  t.true(rules.length > 0);
  t.true(judging.unjudgedBytes > waitingBytes / 2, String(judging.unjudgedBytes));
  t.is(judging.waitingBytes, 0);
  await judging.end();
});

test('what passes while the judge ends is not judged, and no failure', async (t) => {
  const notices: string[] = [];
  const judging = await Judging.start(options, {
    onFinding: () => {},
    onNotice: (notice) => notices.push(notice),
  });
  let isOver = false;
  const ended = judging.end().finally(() => (isOver = true));
  while (!isOver) {
    for (let count = 0; count < 50; count += 1) {
      const at = performance.now();
      judging.onEvent({ kind: 'upload', exchange: 1, at, bytes: Buffer.alloc(2000) });
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
  await t.notThrowsAsync(ended);
  t.deepEqual(notices, []);
});
