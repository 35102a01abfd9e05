/** The tests of `npm run test:long`: four files at a time, since some of them wait for most of their time. */
import short from './ava.config.js';

/** These wait longest, so they begin first, and the others keep the processors busy meanwhile. */
const first = ['consumer.long.test', 'follower.long.test'];

const rank = (file) => (first.some((name) => file.includes(`/${name}`)) ? 0 : 1);

export default {
  ...short,
  files: ['{openapi,reference,conformance,generators,reports,bin}/**/*.long.test.ts'],
  timeout: '25m',
  concurrency: 4,
  sortTestFiles: (a, b) => rank(a) - rank(b),
};
