/** Makes the form of a description that generators of clients understand: OpenAPI 3.0 with one type for each response. */
import { Converter } from '@apiture/openapi-down-convert';
import { bundleFromString, createConfig } from '@redocly/openapi-core';
import {
  methods,
  resolve,
  type BodyObject,
  type Content,
  type Description,
  type OperationObject,
  type ParameterObject,
  type Reference,
  type ResponseObject,
  type Schema,
} from './description.js';
import { makeJsonParametersTexts } from './json-parameters.js';

/** @param description in the dialect of the clients, without what the overlay for clients removes */
export async function clientForm(description: Description): Promise<object> {
  const form = structuredClone(description);
  const operations = Object.values(form.paths).flatMap((item) =>
    methods.flatMap((method) => (method in item ? [item[method] as OperationObject] : [])),
  );
  for (const operation of operations) {
    operation.responses = responsesOf(operation);
    if (operation.requestBody) keepOneMediaType(resolve<BodyObject>(form, operation.requestBody).content);
    for (const response of Object.values(operation.responses))
      keepOneMediaType(resolve<ResponseObject>(form, response).content);
  }
  makeJsonParametersTexts(form);
  const parameters = Object.values(form.components.parameters!) as ParameterObject[];
  for (const { schema } of parameters) if (schema) simplify(schema, form);
  for (const schema of Object.values(form.components.schemas!)) simplify(schema as Schema, form);
  const converted = new Converter(form).convert();
  const config = await createConfig({});
  const { bundle } = await bundleFromString({
    source: JSON.stringify(converted),
    config,
    removeUnusedComponents: true,
  });
  return bundle.parsed as object;
}

/** Success and one response for all errors of a kind: some generators allow only one type of errors. */
function responsesOf({ responses }: OperationObject): OperationObject['responses'] {
  const success = Object.entries(responses).filter(([status]) => status.startsWith('2'));
  const other = responses['default']!;
  return { ...Object.fromEntries(success), '4XX': other, '5XX': other };
}

/** JSON if there is, since generated methods have one type of bodies. */
function keepOneMediaType(content: Content = {}): void {
  const [kept] = ['application/json', ...Object.keys(content)].filter((type) => type in content);
  for (const type of Object.keys(content)) if (type !== kept) delete content[type];
}

/** Constants become their type, and unions one object with what their members have. */
function simplify(schema: Schema, form: Description): void {
  delete schema.const;
  // The same, but some generators drop other members if it is a boolean.
  if (schema.additionalProperties === true) schema.additionalProperties = {};
  const nested = [schema.items, schema.additionalProperties, ...Object.values(schema.properties ?? {})];
  for (const one of nested) if (typeof one === 'object') simplify(one, form);
  const { oneOf = [], anyOf = [], ...rest } = schema;
  const members = [...oneOf, ...anyOf];
  if (members.length === 0) return;
  delete schema.oneOf;
  delete schema.anyOf;
  const others = members.filter(({ type }) => type !== 'null');
  const alternatives = others.map((one) => resolve<Schema>(form, one as Schema | Reference));
  const { type } = alternatives[0]!;
  if (others.length < members.length) Object.assign(schema, rest, { type, nullable: true, allOf: others });
  else Object.assign(schema, rest, union(alternatives));
}

/** An object that requires only what all alternatives require. */
function union(alternatives: Schema[]): Schema {
  const properties: Record<string, Schema> = {};
  for (const alternative of alternatives)
    for (const [name, property] of Object.entries(alternative.properties ?? {})) {
      const hasAnyType = property.type === undefined && property.$ref === undefined;
      if (hasAnyType || properties[name] === undefined) properties[name] = property;
    }
  const required = Object.keys(properties).filter((name) =>
    alternatives.every((one) => one.required?.includes(name)),
  );
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}
