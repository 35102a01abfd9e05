/** The tests of `npm run test:long`: three files at a time, since some of them wait for most of their time. */
import short from './ava.config.js';

export default {
  ...short,
  files: ['{openapi,reference,conformance,generators,reports,bin}/**/*.long.test.ts'],
  timeout: '25m',
  concurrency: 3,
};
