/** The tests of `npm test`. Those that take minutes are in `*.long.ts`: see ava.long.config.js. */
export default {
  extensions: { ts: 'module' },
  nodeArguments: ['--import=tsx'],
  files: ['{openapi,reference,conformance,generators,reports,bin}/**/*.test.ts'],
  timeout: '60s',
  workerThreads: false,
};
