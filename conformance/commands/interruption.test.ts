import { EventEmitter, once } from 'node:events';
import test from 'ava';
import { runInterruptibly } from './interruption.js';

for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  test.serial(`${name} aborts the signal of the work, also if npm passes it on once more`, async (t) => {
    const count = process.listenerCount(name);
    const aborted = await runInterruptibly('', async (signal) => {
      t.is(process.listenerCount(name), count + 1);
      // Emitted rather than sent, so that other tests in this process are not affected.
      for (let times = 0; times < 2; times += 1) (process as EventEmitter).emit(name, name);
      if (!signal.aborted) await once(signal, 'abort');
      return signal.aborted;
    });
    t.true(aborted);
    t.is(process.listenerCount(name), count);
  });
}
