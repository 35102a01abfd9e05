/** The import rules of the architecture. See CONTRIBUTING.md, "Where things live". */
const tests = '\\.(test|long|every)\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: [tests, '\\.d\\.ts$', '^openapi/generated/types\\.'] },
      to: {},
    },
    {
      name: 'reference-stands-alone',
      comment: 'The server knows the specification through generated code, and nothing of the suite.',
      severity: 'error',
      from: { path: '^reference/' },
      to: { path: '^(conformance|generators|reports|bin|openapi/(?!generated/))' },
    },
    {
      name: 'suite-stands-alone',
      comment: 'A bug shared by the oracle and the server would be invisible.',
      severity: 'error',
      from: { path: '^conformance/', pathNot: ['^conformance/(faults|real|selftest|testing)/', tests] },
      to: { path: '^(reference|generators|bin|openapi/(?!generated/))' },
    },
    {
      name: 'faults-use-the-public-entry',
      severity: 'error',
      from: { path: '^conformance/' },
      to: { path: '^reference/', pathNot: '^reference/index\\.ts$' },
    },
    {
      name: 'model-is-pure',
      comment: 'The oracle does no I/O and knows no HTTP.',
      severity: 'error',
      from: { path: '^conformance/model/', pathNot: tests },
      to: { path: '^(conformance/(target|runner|checks|play)|node:(?!util|crypto))' },
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
        pathNot: [tests, '^conformance/real/', '^reference/tools/', '/testing/'],
      },
      to: { dependencyTypes: ['npm-dev'], pathNot: 'node_modules/@types/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
    },
  },
};
