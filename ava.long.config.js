/** The tests of `npm run test:long`: one file at a time, since each uses both cores for minutes. */
import short from './ava.config.js';

export default {
  ...short,
  files: ['{openapi,reference,conformance,generators,reports,bin}/**/*.long.test.ts'],
  timeout: '15m',
  concurrency: 1,
};
