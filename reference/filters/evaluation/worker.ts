/**
 * Main module of the processes that evaluate filters. Functions and regular expressions of selectors can run for a long
 * time; here they do not block the server.
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
  const results = (JSON.parse(documents) as Json[]).map((document) => (matches(document) ? '1' : '0'));
  return { results: results.join('') };
}
