/** The tests of `npm test`. Tests that take minutes are in `*.long.test.ts`: see ava.long.config.js. */
export default {
  extensions: { ts: 'module' },
  nodeArguments: ['--import=tsx'],
  files: ['{openapi,reference,conformance,generators,reports,bin}/**/*.test.ts', '!**/*.long.test.ts'],
  timeout: '60s',
  workerThreads: false,
};
