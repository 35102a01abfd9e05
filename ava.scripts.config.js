/** `npm run test:scripts`: the script of every failure of every fault, which takes half an hour. */
import long from './ava.long.config.js';

export default { ...long, files: ['conformance/faults/scripts.every.ts'], timeout: '60m' };
