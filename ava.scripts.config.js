/** `npm run test:scripts`: the script of every failure of every fault, on servers with it and without. */
import long from './ava.long.config.js';

export default { ...long, files: ['conformance/faults/scripts.every.ts'], timeout: '60m' };
