/**
 * Runs in ava's worker processes and loads StrykerJS's hook, which activates mutants and records coverage. The path of
 * that hook is the last argument. The hook expects the id of the process that StrykerJS started, which is ava's main
 * process, the parent of each worker.
 */
import { createRequire } from 'node:module';

Object.defineProperty(process, 'pid', { value: process.ppid });
createRequire(import.meta.url)(process.argv.at(-1)!);
