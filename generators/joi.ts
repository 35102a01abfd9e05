/**
 * Translates JSON Schema to joi code with error messages. The generator rejects keywords that it does not support, so
 * that the server never accepts what the description forbids.
 */
import type { Schema } from './description.js';
import { InvalidInput } from './errors.js';

const annotations = new Set([
  'description',
  'format',
  'title',
  'example',
  'examples',
  'deprecated',
  'contentEncoding',
  'default',
]);
const constraints = new Set([
  '$ref',
  'type',
  'const',
  'enum',
  'properties',
  'required',
  'additionalProperties',
  'items',
  'minItems',
  'maxItems',
  'minLength',
  'maxLength',
  'pattern',
  'minimum',
  'maximum',
  'oneOf',
  'anyOf',
]);

export interface JoiContext {
  /** Returns the name of the constant with the validator of `#/components/schemas/<component>`. */
  constantOf(component: string): string;
  resolve: (schema: Schema) => Schema;
  /** Whether the value is plain text from a path, query or header instead of JSON. */
  isText: boolean;
}

/** Constants in the template for the most common schemas. */
const commonValidators: Record<string, string> = {
  '{"type":"string"}': 'anyString',
  '{"type":"boolean"}': 'anyBoolean',
};

/** The keywords that restrict the value, as text for comparisons. */
export const constraintsOf = (schema: Schema): string =>
  JSON.stringify(Object.fromEntries(Object.entries(schema).filter(([keyword]) => constraints.has(keyword))));

/**
 * The joi expression of a schema, with an error message that describes the valid values. `x-reason` in the schema
 * replaces the message, and `x-error` the name of the error.
 */
export function validatorCode(schema: Schema, context: JoiContext): string {
  if (schema.$ref !== undefined) return joiCode(schema, context);
  const { 'x-reason': reason, 'x-error': error } = schema;
  const code = joiCode(schema, context);
  const expected = JSON.stringify(describeSchema(schema, context));
  if (reason === undefined && error === undefined)
    return commonValidators[constraintsOf(schema)] ?? `mustBe(${code}, ${expected})`;
  return `mustBe(${code}, ${expected}, ${JSON.stringify({ reason, error })})`;
}

/** The joi expression of a schema, without an error message unless it is the constant of a component. */
export function joiCode(schema: Schema, context: JoiContext): string {
  if (schema.$ref !== undefined) return context.constantOf(schema.$ref.split('/').at(-1)!);
  rejectUnknownKeywords(schema);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    if (constraintsOf({ ...schema, oneOf: undefined, anyOf: undefined }) !== '{}') {
      throw new InvalidInput(
        `validators do not support constraints next to oneOf or anyOf, as in ${quote(schema)}`,
      );
    }
    return alternativesCode(alternatives, context);
  }
  if (schema.const !== undefined) return constantsCode([schema.const]);
  if (schema.enum) return constantsCode(schema.enum);
  const types = typesOf(schema);
  const [type, ...others] = types.filter((one) => one !== 'null');
  if (others.length > 0) {
    return alternativesCode(
      types.map((one) => ({ ...schema, type: one })),
      context,
    );
  }
  const nullable = types.includes('null') ? '.allow(null)' : '';
  switch (type) {
    case undefined:
      if (constraintsOf({ ...schema, type: undefined }) !== '{}') {
        throw new InvalidInput(
          `validators do not support constraints without a type, as in ${quote(schema)}`,
        );
      }
      return types.length > 0 ? 'Joi.valid(null)' : 'Joi.any()';
    case 'boolean':
      return `Joi.boolean()${nullable}`;
    case 'integer':
      return `Joi.number().integer()${boundsCode(schema.minimum, schema.maximum)}${nullable}`;
    case 'number':
      return `Joi.number()${boundsCode(schema.minimum, schema.maximum)}${nullable}`;
    case 'string': {
      const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
      // joi rejects the empty string by default, and `allow` overrides all other rules.
      const empty = (schema.minLength ?? 0) === 0 && (pattern?.test('') ?? true) ? `.allow('')` : '';
      const rules = `${empty}${pattern ? `.pattern(${pattern.toString()})` : ''}`;
      return `Joi.string()${rules}${boundsCode(schema.minLength, schema.maxLength)}${nullable}`;
    }
    case 'array': {
      const items = schema.items ? `.items(${validatorCode(schema.items, context)})` : '';
      return `Joi.array()${items}${boundsCode(schema.minItems, schema.maxItems)}${nullable}`;
    }
    case 'object':
      return `${objectCode(schema, context)}${nullable}`;
    default:
      throw new InvalidInput(`validators do not support the type ${type} of ${quote(schema)}`);
  }
}

function objectCode(schema: Schema, context: JoiContext): string {
  const { properties = {}, required = [], additionalProperties = true } = schema;
  const described = { ...Object.fromEntries(required.map((name) => [name, {}])), ...properties };
  const members = Object.entries(described).map(([name, property]: [string, Schema]) => {
    const presence = required.includes(name) ? '.required()' : '';
    return `${JSON.stringify(name)}: ${validatorCode(property, context)}${presence}${defaultCode(property)}`;
  });
  const known = members.length > 0 ? `Joi.object({ ${members.join(', ')} })` : 'Joi.object()';
  if (typeof additionalProperties === 'object') {
    return `${known}.pattern(/^/, ${validatorCode(additionalProperties, context)})`;
  }
  return `${known}${additionalProperties ? '.unknown()' : ''}`;
}

/** The code for the default value of a parameter or property. */
export const defaultCode = (schema: Schema): string =>
  schema.default === undefined ? '' : `.default(${JSON.stringify(schema.default)})`;

function alternativesCode(alternatives: Schema[], context: JoiContext): string {
  const anyString = alternatives.find((one) => constraintsOf(one) === '{"type":"string"}');
  // Conversion of the text to another type could lose information, such as digits of a long number.
  if (context.isText && anyString) return joiCode(anyString, context);
  const codes = alternatives.map((one) => joiCode(one, context));
  return `Joi.alternatives(${codes.join(', ')})`;
}

function constantsCode(values: unknown[]): string {
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  // The type converts text before the comparison.
  if (values.every((value) => typeof value === 'boolean')) return `Joi.boolean().valid(${list})`;
  if (values.every((value) => typeof value === 'number')) return `Joi.number().valid(${list})`;
  return `Joi.valid(${list})`;
}

const boundsCode = (minimum?: number, maximum?: number): string =>
  (minimum === undefined ? '' : `.min(${minimum})`) + (maximum === undefined ? '' : `.max(${maximum})`);

const quote = (schema: Schema): string => `the schema ${JSON.stringify(schema)}`;

function rejectUnknownKeywords(schema: Schema): void {
  for (const keyword of Object.keys(schema)) {
    if (!keyword.startsWith('x-') && !annotations.has(keyword) && !constraints.has(keyword)) {
      throw new InvalidInput(`validators do not support the keyword "${keyword}" of ${quote(schema)}`);
    }
  }
}

function typesOf({ type }: Schema): string[] {
  if (type === undefined) return [];
  return Array.isArray(type) ? type : [type];
}

/** Describes the valid values, to complete "must be". */
export function describeSchema(schema: Schema, context: Pick<JoiContext, 'resolve'>): string {
  if (schema.$ref !== undefined) return describeSchema(context.resolve(schema), context);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    return joinAlternatives(alternatives.map((one) => describeSchema(one, context)));
  }
  if (schema.const !== undefined) return describeConstant(schema.const);
  if (schema.enum) return joinAlternatives(schema.enum.map(describeConstant));
  const types = typesOf(schema);
  return types.length === 0
    ? 'a JSON value'
    : joinAlternatives(types.map((type) => describeType(type, schema, context)));
}

function describeType(type: string, schema: Schema, context: Pick<JoiContext, 'resolve'>): string {
  switch (type) {
    case 'null':
      return 'null';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `an integer${describeRange(schema.minimum, schema.maximum)}`;
    case 'number':
      return `a number${describeRange(schema.minimum, schema.maximum)}`;
    case 'string':
      if (schema.pattern !== undefined) return `a string of the form ${schema['x-form'] ?? schema.pattern}`;
      return schema.minLength ? `a string of ${schema.minLength} or more characters` : 'a string';
    case 'array': {
      const items = schema.items && describeSchema(schema.items, context);
      const length = schema.minItems ? ` of ${schema.minItems} or more` : '';
      return `an array${length}${items ? `, each item ${items}` : ''}`;
    }
    default: {
      const required = (schema.required ?? []).map((name) => `\`${name}\``);
      return required.length > 0 ? `an object with ${required.join(', ')}` : 'an object';
    }
  }
}

const describeConstant = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

function describeRange(minimum?: number, maximum?: number): string {
  if (minimum !== undefined && maximum !== undefined) return ` from ${minimum} to ${maximum}`;
  if (minimum !== undefined) return ` of ${minimum} or more`;
  return maximum === undefined ? '' : ` of ${maximum} or less`;
}

function joinAlternatives(descriptions: string[]): string {
  const distinct = [...new Set(descriptions)];
  return distinct.length < 2
    ? distinct.join('')
    : `${distinct.slice(0, -1).join(', ')} or ${distinct.at(-1)}`;
}
