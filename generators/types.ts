/** Generates TypeScript types of a description with openapi-typescript. */
import openapiTS, {
  astToString,
  transformSchemaObject,
  type GlobalContext,
  type OpenAPI3,
  type SchemaObject,
} from 'openapi-typescript';
import {
  methods,
  type Description,
  type OperationObject,
  type Reference,
  type ResponseObject,
  type Schema,
} from './description.js';
import { makeJsonParametersTexts } from './json-parameters.js';
import { render } from './templates.js';

export interface Types {
  /** The interfaces `paths`, `components` and `operations`. */
  declarations: string;
  /** Returns the type of a schema, which refers to `components`. */
  typeOf: (schema: Schema) => string;
}

export async function typesOf(description: Description): Promise<Types> {
  let context: GlobalContext | undefined;
  const nodes = await openapiTS(asClientsSeeIt(description) as object as OpenAPI3, {
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

/**
 * Clients such as openapi-fetch send the text of a JSON parameter. Keeps only JSON in each response that has it: with
 * another media type, the `data` of such a client would be a union with `string`, which a caller has to narrow.
 */
function asClientsSeeIt(description: Description): Description {
  const copy = structuredClone(description);
  const operations = Object.values(copy.paths).flatMap((item) => methods.map((method) => item[method]));
  const responses = [
    ...Object.values(copy.components.responses ?? {}),
    ...(operations as (OperationObject | undefined)[]).flatMap((one) => Object.values(one?.responses ?? {})),
  ] as (ResponseObject | Reference)[];
  for (const response of responses) {
    const json = 'content' in response ? response.content?.['application/json'] : undefined;
    if (json) (response as ResponseObject).content = { 'application/json': json };
  }
  makeJsonParametersTexts(copy);
  return copy;
}

/** The source of `openapi/generated/types.<dialect>.ts`, not yet formatted. `docfeed types` prints this file. */
export const typesModule = (dialect: string, { declarations }: Types): string =>
  render('types', { dialect, declarations });
