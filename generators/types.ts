/** Generates TypeScript types of a description with openapi-typescript. */
import openapiTS, {
  astToString,
  transformSchemaObject,
  type GlobalContext,
  type OpenAPI3,
  type SchemaObject,
} from 'openapi-typescript';
import type { Description, Schema } from './description.js';
import { render } from './templates.js';

export interface Types {
  /** The interfaces `paths`, `components` and `operations`. */
  declarations: string;
  /** Returns the type of a schema, which refers to `components`. */
  typeOf: (schema: Schema) => string;
}

export async function typesOf(description: Description): Promise<Types> {
  let context: GlobalContext | undefined;
  const nodes = await openapiTS(description as object as OpenAPI3, {
    silent: true,
    // A property with a default stays optional because clients can omit it.
    defaultNonNullable: false,
    transform: (_schema, options) => {
      context = options.ctx;
      return undefined;
    },
  });
  return {
    declarations: astToString(nodes),
    typeOf: (schema) => {
      if (!context) throw new Error('the description has no schemas');
      return astToString(transformSchemaObject(schema as SchemaObject, { ctx: context })).trim();
    },
  };
}

/** The source of `openapi/generated/types.<dialect>.ts`, not yet formatted. `docfeed types` prints this file. */
export const typesModule = (dialect: string, { declarations }: Types): string =>
  render('types', { dialect, declarations });
