/** TypeScript types of the JSON Schemas in the project, so that no type repeats a schema by hand. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import type { Files } from './output.js';

/** The module generated from each schema. */
const modules = {
  'openapi/rules/rule.schema.json': 'openapi/generated/rule.ts',
  'openapi/rules/traceability.schema.json': 'openapi/generated/traceability.ts',
};

/** The modules, not yet formatted. */
export async function schemaModules(root: string): Promise<Files> {
  const entries = Object.entries(modules).map(async ([source, target]) => {
    const schema = JSON.parse(await readFile(join(root, source), 'utf8')) as object;
    const types = await compile(schema, source, {
      bannerComment: `/** Generated from ${source} by \`npm run generate\`. */`,
      format: false,
      ignoreMinAndMaxItems: true,
    });
    return [target, types] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}
