/**
 * The program of a process that evaluates filters. Whatever a filter does, whether in JavaScript or by the regular
 * expression of a selector, happens here: the server waits for an answer and serves others meanwhile.
 */
import type { Json } from '../../store/json.js';
import { compileSelector } from './selector.js';
import { FunctionRunner } from './sandbox.js';
import type { Job, Reply } from './protocol.js';

const functions = await FunctionRunner.load();

process.on('message', (job: Job) => process.send!(evaluate(job)));
process.send!({ ready: true } satisfies Reply);

function evaluate({ program, documents, cpuMs }: Job): Reply {
  if (program.kind !== 'selector') return functions.run(program, documents, cpuMs);
  const matches = compileSelector(program.selector);
  const verdicts = (JSON.parse(documents) as Json[]).map((document) => (matches(document) ? '1' : '0'));
  return { verdicts: verdicts.join('') };
}
