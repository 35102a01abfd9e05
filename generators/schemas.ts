/** Generates TypeScript types from the JSON Schemas in the project, so that no type repeats a schema by hand. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';
import type { Files } from './output.js';

/** Each schema with its module and the name of its root type. */
const schemas = [
  ['openapi/rules/rule.schema.json', 'openapi/generated/rule.ts', 'Rules'],
  ['openapi/rules/traceability.schema.json', 'openapi/generated/traceability.ts', 'Traceability'],
  ['reports/report.schema.json', 'reports/generated/report.ts', 'Report'],
  ['conformance/session/target-file.schema.json', 'conformance/generated/target-file.ts', 'TargetFile'],
] as const;

/** The modules, not yet formatted. */
export async function schemaModules(root: string): Promise<Files> {
  const entries = schemas.map(async ([source, target, name]) => {
    const schema = JSON.parse(await readFile(join(root, source), 'utf8'), typeAnyValueAsUnknown) as object;
    const types = await compile({ ...schema, title: undefined }, name, {
      bannerComment: `/** Generated from ${source} by \`npm run generate\`. */`,
      format: false,
      ignoreMinAndMaxItems: true,
    });
    return [target, types] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** By default, a property whose schema has only a description would become an object type. */
function typeAnyValueAsUnknown(key: string, value: unknown): unknown {
  if (key !== 'properties') return value;
  const entries = Object.entries(value as Record<string, object>).map(([name, schema]) => {
    const acceptsAnyValue = Object.keys(schema).every((keyword) => keyword === 'description');
    return [name, acceptsAnyValue ? { ...schema, tsType: 'unknown' } : schema];
  });
  return Object.fromEntries(entries) as unknown;
}
