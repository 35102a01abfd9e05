/** The tests of `npm run test:long`: two files at a time, since most of them use one core. */
import short from './ava.config.js';

export default {
  ...short,
  files: ['{openapi,reference,conformance,generators,reports,bin}/**/*.long.test.ts'],
  timeout: '25m',
  concurrency: 2,
};
