/** As StrykerJS runs tests: see `npm run mutate`. */
import short from './ava.config.js';

export default { ...short, failFast: true, require: ['./conformance/testing/stryker-hook.ts'] };
