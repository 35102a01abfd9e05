import js from '@eslint/js';
import tseslint from 'typescript-eslint';

export default tseslint.config(
  { ignores: ['dist/', 'compiled/', 'coverage/', 'docfeed-api/', '**/generated/', '**/*.d.ts'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: { '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true }] },
  },
  {
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'SpreadElement > :matches(ObjectExpression, ArrayExpression)',
          message: 'Write the members of a literal out instead of spreading it.',
        },
      ],
    },
  },
  // Programs that use what Node.js has without an import.
  {
    files: ['conformance/{examples/consumer,consumer/real,consumer/testing,tools/servers}/*.js'],
    rules: { 'no-undef': 'off' },
  },
  // The wall between the server and the suite holds in tests as well: see .dependency-cruiser.cjs for all other code.
  wall('reference', '/(conformance|generators)/', 'The server knows nothing of the suite.'),
  wall('conformance', '/reference/(?!index\\.js$)', 'Start the server through reference/index.ts.'),
);

function wall(folder, regex, message) {
  return {
    files: [`${folder}/**/*.ts`],
    rules: { 'no-restricted-imports': ['error', { patterns: [{ regex, message }] }] },
  };
}
