/** TypeScript types of a description, by openapi-typescript. */
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
  /** `paths`, `components` and `operations`. */
  declarations: string;
  /** The type of one schema, in terms of these `components`. */
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
    declarations: astToString(nodes),
    typeOf: (schema) => {
      if (!context) throw new Error('the description has no schema');
      return astToString(transformSchemaObject(schema as SchemaObject, { ctx: context })).trim();
    },
  };
}

/** The source of `openapi/generated/types.<dialect>.ts`, not yet formatted. Users are given it as it is. */
export const typesModule = (dialect: string, { declarations }: Types): string =>
  render('types', { dialect, declarations });
