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
  typeOf: (schema: Schema) => string;
}

export async function typesOf(description: Description): Promise<Types> {
  let context: GlobalContext | undefined;
  const nodes = await openapiTS(description as object as OpenAPI3, {
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
      return astToString(transformSchemaObject(schema as SchemaObject, { ctx: context })).trim();
    },
  };
}
