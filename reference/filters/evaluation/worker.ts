/**
 * Main module of the processes that evaluate programs. Functions and large selectors can run for a long time; here they do
 * not block the server.
 */
import { LRUCache } from 'lru-cache';
import { longNumber, parseJson } from '../../http/json-text.js';
import type { Json } from '../../store/json.js';
import { compileSelector, SelectorError, type Selector } from './selector.js';
import { FunctionRunner } from './sandbox.js';
import type { Job, Outcome, Reply } from './protocol.js';
import { guarded, startWatchdog, totalCpuMs } from './watchdog.js';

const functions = await FunctionRunner.load();
const selectors = new LRUCache<string, Selection>({ max: 16 });

interface Selection {
  readonly matches: Selector;
  readonly parse: (documents: string) => unknown;
}

function reply(message: Outcome | { ready: true }): void {
  const complete: Reply = { ...message, isFull: functions.isFull, totalCpuMs: totalCpuMs() };
  // An error means that the server has died. `disconnect` may have been emitted before this module was loaded.
  process.send!(complete, undefined, undefined, (error) => error && process.exit());
}

startWatchdog();
process.on('message', (job: Job) => reply(guarded(job.cpuMs, () => evaluate(job))));
// The server has died.
process.on('disconnect', () => process.exit());
reply({ ready: true });

function evaluate(job: Job): Outcome {
  const { program } = job;
  if (program.kind !== 'selector') return functions.run(program, job);
  try {
    const selection = selectors.get(program.key) ?? selectionOf(program.selector);
    selectors.set(program.key, selection);
    return select(selection, job);
  } catch (error) {
    if (error instanceof SelectorError)
      return { failure: { at: 'compilation', message: error.message }, isFatal: false };
    if (!(error instanceof RangeError)) throw error;
    const failure = { at: 'compilation', message: 'Selector error: the nesting is too deep' } as const;
    return { failure, isFatal: false };
  }
}

/** Parsing long integers exactly takes longer, and few selectors tell them apart. */
function selectionOf(text: string): Selection {
  const needsDigits = longNumber.test(text) || text.includes('$mod');
  return { matches: compileSelector(parseJson(text)), parse: needsDigits ? parseJson : JSON.parse };
}

function select({ matches, parse }: Selection, { documents: text, sliceMs }: Job): Outcome {
  const documents = parse(text) as Json[];
  const end = performance.now() + sliceMs;
  let results = '';
  for (const document of documents) {
    results += matches(document) ? '1' : '0';
    if (performance.now() > end) break;
  }
  return { results, count: results.length, isPure: true };
}
