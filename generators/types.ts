/** TypeScript types of a description, by openapi-typescript. */
import openapiTS, {
  astToString,
  transformSchemaObject,
  type GlobalContext,
  type OpenAPI3,
  type SchemaObject,
} from 'openapi-typescript';
import type { Description, Schema } from './description.js';

export interface Types {
  /** The module with `paths`, `components` and `operations`. */
  source: string;
  /** The type of one schema, in terms of `components` of that module. */
  typeOf(schema: Schema): string;
}

export async function typesOf(description: Description): Promise<Types> {
  const typeable = withoutAlternativeRequirements(description) as OpenAPI3;
  let context: GlobalContext | undefined;
  const nodes = await openapiTS(typeable, {
    silent: true,
    // A default says what the server assumes, so that a client may leave the property out.
    defaultNonNullable: false,
    transform: (_schema, options) => {
      context = options.ctx;
      return undefined;
    },
  });
  return {
    source: astToString(nodes),
    typeOf: (schema) => {
      if (!context) throw new Error('the description has no schema');
      const typeableSchema = withoutAlternativeRequirements(schema) as SchemaObject;
      return astToString(transformSchemaObject(typeableSchema, { ctx: context })).trim();
    },
  };
}

/**
 * Leaves out alternatives that differ only in what they require (`anyOf: [{ required: [a] }, { required: [b] }]`):
 * openapi-typescript would make `unknown` of the whole schema. The properties stay, and stay optional.
 */
function withoutAlternativeRequirements(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withoutAlternativeRequirements);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).filter(([key, value]) => key !== 'anyOf' || !isOnlyRequirements(value));
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutAlternativeRequirements(value)]));
}

/** Whether every alternative consists of `required` and nothing else. */
export const isOnlyRequirements = (alternatives: unknown): alternatives is { required: string[] }[] =>
  Array.isArray(alternatives) &&
  alternatives.every((one) => typeof one === 'object' && one !== null && Object.keys(one).join() === 'required');
