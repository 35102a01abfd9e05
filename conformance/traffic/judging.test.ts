import test from 'ava';
import { Judging } from './judging.js';

test('what passes while the judge ends is not judged, and no failure', async (t) => {
  const notices: string[] = [];
  const judging = new Judging(
    {
      target: 'http://127.0.0.1/',
      dialect: 'service',
      hasOneCopy: true,
      requiredClaims: [],
      bodies: false,
      prefix: '',
      timeOrigin: performance.timeOrigin,
    },
    { onFinding: () => {}, onNotice: (notice) => notices.push(notice) },
  );
  // The process of the judge is ready.
  await judging.verdicts();
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
