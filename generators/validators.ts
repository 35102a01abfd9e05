/** `reference/generated/validators.ts`: joi validators for what each operation is given. */
import {
  resolve,
  type Description,
  type Operation,
  type Parameter,
  type Reference,
  type Schema,
} from './description.js';
import { InvalidInput } from './errors.js';
import { defaultCode, inWords, joiCode, validatorCode, type JoiContext } from './joi.js';
import { render } from './templates.js';

const places = { path: 'params', query: 'query', header: 'headers' } as const;
const placeNames = {
  path: 'path parameter',
  query: 'query parameter',
  header: 'header',
  cookie: 'cookie',
} as const;

/** The source of the module, not yet formatted. */
export function validatorsModule(operations: Operation[], description: Description): string {
  const components = new Map<string, string>();
  const started = new Set<string>();
  const parameters = new Map<string, string>();
  const json: JoiContext = {
    text: false,
    resolve: (schema) => resolve(description, schema as Schema | Reference),
    constantOf: (component) => {
      const constant = `${identifier(component)}Schema`;
      if (!components.has(constant)) {
        if (started.has(component)) throw new InvalidInput(`the schema ${component} contains itself`);
        started.add(component);
        const schema = json.resolve({ $ref: `#/components/schemas/${component}` });
        // Its own references come first in the map and so in the module.
        const code = validatorCode(schema, json);
        components.set(constant, code);
      }
      return constant;
    },
  };

  const parameterCode = (parameter: Parameter): string => {
    const code = oneParameter(parameter, json);
    if (parameter.component === undefined) return code;
    const constant = `${identifier(parameter.component)}Parameter`;
    parameters.set(constant, code);
    return constant;
  };

  const members = operations.map((operation) => {
    const groups = Object.entries(places).flatMap(([place, group]) => {
      const own = operation.parameters.filter((parameter) => parameter.in === place);
      if (own.length === 0) return [];
      const keys = own.map((one) => `${JSON.stringify(keyOf(one))}: ${parameterCode(one)}`);
      return [`${group}: Joi.object({ ${keys.join(', ')} }).unknown()`];
    });
    return {
      id: operation.id,
      summary: operation.summary,
      groups: [...groups, ...bodyCode(operation, json)],
    };
  });

  return render('validators', { components, parameters, operations: members });
}

/** Header names reach the server in lower case. */
const keyOf = ({ in: place, name }: Parameter): string => (place === 'header' ? name.toLowerCase() : name);

function oneParameter({ name, in: place, required, schema, json }: Parameter, context: JoiContext): string {
  const code = json ? jsonParameterCode(schema, context) : textParameterCode(schema, context);
  const label = JSON.stringify(`${placeNames[place]} \`${name}\``);
  return `${code}.label(${label})${required ? '.required()' : ''}${defaultCode(schema)}`;
}

function textParameterCode(schema: Schema, context: JoiContext): string {
  const text = { ...context, text: true };
  return validatorCode(schema.$ref === undefined ? schema : context.resolve(schema), text);
}

/** Constant words, such as `open_revs=all`, are sent without the quotes of JSON. */
function jsonParameterCode(schema: Schema, context: JoiContext): string {
  const words = (schema.anyOf ?? schema.oneOf ?? [schema])
    .map((one) => one.const)
    .filter((one) => typeof one === 'string');
  const list = words.length > 0 ? `, ${JSON.stringify(words)}` : '';
  const wanted = `${inWords(schema, context)}, written as JSON`;
  const code = schema.$ref === undefined ? joiCode(schema, context) : validatorCode(schema, context);
  return `mustBe(json(${code}${list}), ${JSON.stringify(wanted)})`;
}

function bodyCode({ body }: Operation, context: JoiContext): string[] {
  const json = body?.media.find(({ type }) => type === 'application/json');
  if (!body || !json) return [];
  // hapi gives null for an empty body.
  const presence = body.required ? '.empty(null).required()' : '.allow(null)';
  const code = `${validatorCode(json.schema, context)}${presence}.label('the request body')`;
  return [`payload: ${code}.prefs({ convert: false })`];
}

function identifier(component: string): string {
  const camel = component.replace(/[^A-Za-z0-9]+(.)/g, (_match, next: string) => next.toUpperCase());
  return camel.charAt(0).toLowerCase() + camel.slice(1);
}
