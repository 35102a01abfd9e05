/**
 * Loaded into the processes in which ava runs tests; its last argument is StrykerJS's hook, which lets mutants act and
 * tells what was covered. It expects to be in the process that was started, which with ava is the one above.
 */
import { createRequire } from 'node:module';

Object.defineProperty(process, 'pid', { value: process.ppid });
createRequire(import.meta.url)(process.argv.at(-1)!);
