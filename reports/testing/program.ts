import { fileURLToPath } from 'node:url';

/** The main module of the program, compiled like the tests. */
export const program = fileURLToPath(new URL('../../bin/docfeed.js', import.meta.url));
