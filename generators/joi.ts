/**
 * From JSON Schema to joi: the code of a validator and, in words, what it wants. A keyword that would be
 * ignored stops the generator, so that the server never accepts in silence what the description refuses.
 */
import type { Schema } from './description.js';
import { InvalidInput } from './errors.js';

const annotations = new Set([
  'description',
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
  /** The name of the constant that holds the validator of `#/components/schemas/<component>`. */
  constantOf(component: string): string;
  resolve: (schema: Schema) => Schema;
  /** The value arrives as text, in a path, a query or a header, and not as JSON. */
  text: boolean;
}

/** Constants of the template for the schemas that occur all the time. */
const commonValidators: Record<string, string> = {
  '{"type":"string"}': 'anyString',
  '{"type":"boolean"}': 'anyBoolean',
};

const constraintsOf = (schema: Schema): string =>
  JSON.stringify(Object.fromEntries(Object.entries(schema).filter(([keyword]) => constraints.has(keyword))));

/**
 * An expression that makes the validator, with an error message that says what is wanted. Where the service document
 * gives the reason of the error, the schema has it as `x-reason`.
 */
export function validatorCode(schema: Schema, context: JoiContext): string {
  if (schema.$ref !== undefined) return context.constantOf(componentOf(schema.$ref));
  const common = commonValidators[constraintsOf(schema)];
  if (common) return common;
  const reason = schema['x-reason'] === undefined ? '' : `, ${JSON.stringify(schema['x-reason'])}`;
  return `mustBe(${joiCode(schema, context)}, ${JSON.stringify(inWords(schema, context))}${reason})`;
}

const componentOf = ($ref: string): string => $ref.split('/').at(-1)!;

/** The same without the message. */
export function joiCode(schema: Schema, context: JoiContext): string {
  refuseUnknownKeywords(schema);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    if (constraintsOf({ ...schema, oneOf: undefined, anyOf: undefined }) !== '{}') {
      throw new InvalidInput(
        `the validators cannot express constraints beside the alternatives of ${text(schema)}`,
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
          `the validators cannot express constraints without a type, as in ${text(schema)}`,
        );
      }
      return types.length > 0 ? 'Joi.valid(null)' : 'Joi.any()';
    case 'boolean':
      return `Joi.boolean().sensitive()${nullable}`;
    case 'integer':
      return `Joi.number().integer()${boundsCode(schema.minimum, schema.maximum)}${nullable}`;
    case 'number':
      return `Joi.number()${boundsCode(schema.minimum, schema.maximum)}${nullable}`;
    case 'string': {
      const pattern = schema.pattern === undefined ? undefined : new RegExp(schema.pattern, 'u');
      // joi refuses the empty string unless it is allowed, which then overrides the rules.
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
      throw new InvalidInput(`the validators do not know the type ${type} of ${text(schema)}`);
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

/** The default of a parameter or property. */
export const defaultCode = (schema: Schema): string =>
  schema.default === undefined ? '' : `.default(${JSON.stringify(schema.default)})`;

function alternativesCode(alternatives: Schema[], context: JoiContext): string {
  const anyString = alternatives.find((one) => constraintsOf(one) === '{"type":"string"}');
  // What arrives as text already is the string, and to make a number of it could lose digits.
  if (context.text && anyString) return joiCode(anyString, context);
  const codes = alternatives.map((one) =>
    one.$ref === undefined ? joiCode(one, context) : validatorCode(one, context),
  );
  return `Joi.alternatives(${codes.join(', ')})`;
}

function constantsCode(values: unknown[]): string {
  const list = values.map((value) => JSON.stringify(value)).join(', ');
  // Text is coerced by the type before it is compared.
  if (values.every((value) => typeof value === 'boolean')) return `Joi.boolean().sensitive().valid(${list})`;
  if (values.every((value) => typeof value === 'number')) return `Joi.number().valid(${list})`;
  return `Joi.valid(${list})`;
}

const boundsCode = (least?: number, most?: number): string =>
  (least === undefined ? '' : `.min(${least})`) + (most === undefined ? '' : `.max(${most})`);

const text = (schema: Schema): string => `the schema ${JSON.stringify(schema)}`;

function refuseUnknownKeywords(schema: Schema): void {
  for (const keyword of Object.keys(schema)) {
    if (!keyword.startsWith('x-') && !annotations.has(keyword) && !constraints.has(keyword)) {
      throw new InvalidInput(`the validators cannot express the keyword "${keyword}" of ${text(schema)}`);
    }
  }
}

function typesOf({ type }: Schema): string[] {
  if (type === undefined) return [];
  return Array.isArray(type) ? type : [type];
}

/** What is right, in words that complete "must be". */
export function inWords(schema: Schema, context: Pick<JoiContext, 'resolve'>): string {
  if (schema.$ref !== undefined) return inWords(context.resolve(schema), context);
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) {
    return listed(alternatives.map((one) => inWords(one, context)));
  }
  if (schema.const !== undefined) return wordOf(schema.const);
  if (schema.enum) return listed(schema.enum.map(wordOf));
  const types = typesOf(schema);
  return types.length === 0
    ? 'a JSON value'
    : listed(types.map((type) => typeInWords(type, schema, context)));
}

function typeInWords(type: string, schema: Schema, context: Pick<JoiContext, 'resolve'>): string {
  switch (type) {
    case 'null':
      return 'null';
    case 'boolean':
      return 'true or false';
    case 'integer':
      return `an integer${rangeInWords(schema.minimum, schema.maximum)}`;
    case 'number':
      return `a number${rangeInWords(schema.minimum, schema.maximum)}`;
    case 'string':
      if (schema.pattern !== undefined) return `a string of the form ${schema.pattern}`;
      return schema.minLength ? `a string of ${schema.minLength} or more characters` : 'a string';
    case 'array': {
      const items = schema.items && inWords(schema.items, context);
      const length = schema.minItems ? ` of ${schema.minItems} or more` : '';
      return `an array${length}${items ? `, each item ${items}` : ''}`;
    }
    default: {
      const needed = schema.required ?? [];
      if (needed.length > 0) return `an object with ${quoted(needed).join(', ')}`;
      return 'an object';
    }
  }
}

const quoted = (names: string[]): string[] => names.map((name) => `\`${name}\``);

const wordOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function rangeInWords(least?: number, most?: number): string {
  if (least !== undefined && most !== undefined) return ` from ${least} to ${most}`;
  if (least !== undefined) return ` of ${least} or more`;
  return most === undefined ? '' : ` of ${most} or less`;
}

function listed(words: string[]): string {
  const distinct = [...new Set(words)];
  return distinct.length < 2
    ? distinct.join('')
    : `${distinct.slice(0, -1).join(', ')} or ${distinct.at(-1)}`;
}
