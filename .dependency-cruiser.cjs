/**
 * The import rules of the architecture: see CONTRIBUTING.md, "Where things live". Tests are left out, since they may
 * combine layers; eslint.config.js keeps the wall between the server and the suite in tests as well.
 */

/** The layers of the suite: each imports only those before it. */
const layers = [
  'engine',
  'http',
  'session',
  'oracle',
  'arbitraries',
  'play',
  'passing',
  'rule-home\\.ts$',
  'kit\\.ts$',
  'rules/(?!.*fault)',
  'traffic',
  'run-conformance\\.ts$',
  'start-conformance\\.ts$',
  'index\\.ts$',
  'consumer',
  'rules/.*fault',
  'selftest',
  'commands',
];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-circular-folders',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-imports-from-the-parent-folder',
      comment: 'A folder of the server uses its subfolders, never the other way round.',
      severity: 'error',
      from: { path: '(^reference.*)/[^/]+/[^/]+$', pathNot: '^reference/(commands|tools)/' },
      to: { path: '^$1/[^/]+$' },
    },
    ...layers.slice(0, -1).map((layer, index) => ({
      name: `layer-${layer}`,
      comment: 'The suite is built in layers: see CONTRIBUTING.md, "Where things live".',
      severity: 'error',
      from: { path: `^conformance/${layer}` },
      to: { path: `^conformance/(${layers.slice(index + 1).join('|')})` },
    })),
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['\\.d\\.ts$', '/generated/', '^reference/variation/example\\.ts$'] },
      to: {},
    },
    {
      name: 'reference-stands-alone',
      comment: 'The server knows the specification through generated code, and nothing of the suite.',
      severity: 'error',
      from: { path: '^reference/', pathNot: '^reference/tools/' },
      to: { path: '^(conformance|generators|reports|bin|openapi/(?!generated/))' },
    },
    {
      name: 'tools-of-the-server-publish-results-only',
      severity: 'error',
      from: { path: '^reference/tools/' },
      to: {
        path: '^(conformance|generators|reports/(?!(tools/bench-report|origin|folder|write)\\.ts)|bin|openapi/(?!generated/))',
      },
    },
    {
      name: 'suite-stands-alone',
      comment: 'A bug shared by the oracle and the server would be invisible.',
      severity: 'error',
      from: {
        path: '^conformance/',
        pathNot: ['^conformance/rules/.*faults\\.ts$', '^conformance/(consumer|selftest)/'],
      },
      to: { path: '^(reference|generators|bin|openapi/(?!generated/))' },
    },
    {
      name: 'faults-use-the-public-entry',
      severity: 'error',
      from: { path: '^conformance/' },
      to: { path: '^reference/', pathNot: '^reference/index\\.ts$' },
    },
    {
      name: 'check-loads-no-fault',
      comment: 'Faults load the whole server.',
      severity: 'error',
      from: { path: '^conformance/commands/(run-check|watch|list|explain)\\.ts$' },
      to: { path: '^conformance/rules/.*faults\\.ts$', reachable: true },
    },
    {
      name: 'oracle-is-pure',
      comment: 'The oracle does no I/O and knows no HTTP.',
      severity: 'error',
      from: { path: '^conformance/oracle/' },
      to: { path: '^(conformance/(?!oracle|engine)|node:(?!util|crypto))' },
    },
    {
      name: 'reports-know-report-data-only',
      severity: 'error',
      from: { path: '^reports/' },
      to: { path: '^(reference|conformance|generators|openapi|bin)' },
    },
    {
      name: 'no-dev-dependencies-in-the-package',
      severity: 'error',
      from: {
        path: '^(bin|reference|conformance|reports|generators/commands)',
        pathNot: ['^(conformance|reference|reports)/tools/', '^conformance/examples/'],
      },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.test\\.ts$|/testing/|consumer/real/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
