/** Generates `reference/generated/validators.ts`: joi validators for the requests of each operation. */
import {
  resolve,
  type Description,
  type Operation,
  type Parameter,
  type Reference,
  type Schema,
} from './description.js';
import { InvalidInput } from './errors.js';
import {
  constraintsOf,
  defaultCode,
  describeSchema,
  joiCode,
  validatorCode,
  type JoiContext,
} from './joi.js';
import { render } from './templates.js';

/** The group of a request that has the parameters of a location, and what messages call one of them. */
const locations = {
  path: { group: 'params', label: 'path parameter' },
  query: { group: 'query', label: 'query parameter' },
  header: { group: 'headers', label: 'header' },
} as const;

/** The source of the module, not yet formatted. */
export function validatorsModule(operations: Operation[], description: Description): string {
  const components = new Map<string, string>();
  const started = new Set<string>();
  const parameterConstants = new Map<string, string>();
  const json: JoiContext = {
    isText: false,
    resolve: (schema) => resolve(description, schema as Schema | Reference),
    constantOf: (component) => {
      const constant = `${identifier(component)}Schema`;
      if (!components.has(constant)) {
        if (started.has(component))
          throw new InvalidInput(`the schema ${component} is recursive, which validators do not support`);
        started.add(component);
        const schema = json.resolve({ $ref: `#/components/schemas/${component}` });
        // `validatorCode` adds the schemas that this schema refers to first, so the module declares them first.
        const code = validatorCode(schema, json);
        components.set(constant, code);
      }
      return constant;
    },
  };

  const parameterCode = (parameter: Parameter): string => {
    const code = parameterValidator(parameter, json);
    if (parameter.component === undefined) return code;
    const constant = `${identifier(parameter.component)}Parameter`;
    parameterConstants.set(constant, code);
    return constant;
  };

  const members = operations.map((operation) => {
    const groups = Object.entries(locations).flatMap(([location, { group }]) => {
      const parameters = operation.parameters.filter((parameter) => parameter.in === location);
      if (parameters.length === 0) return [];
      const keys = parameters.map((one) => `${JSON.stringify(keyOf(one))}: ${parameterCode(one)}`);
      return [`${group}: Joi.object({ ${keys.join(', ')} }).unknown()`];
    });
    return {
      id: operation.id,
      summary: operation.summary,
      groups: [...groups, ...bodyCode(operation, json)],
    };
  });

  return render('validators', { components, parameters: parameterConstants, operations: members });
}

/** hapi converts header names to lowercase. */
const keyOf = ({ in: location, name }: Parameter): string =>
  location === 'header' ? name.toLowerCase() : name;

function parameterValidator(
  { name, in: location, required, schema: described, json, isNotValidated }: Parameter,
  context: JoiContext,
): string {
  const schema = isNotValidated ? { ...described, pattern: undefined } : described;
  const code = json ? jsonParameterCode(schema, context) : textParameterCode(schema, context);
  const label = JSON.stringify(`${locations[location].label} \`${name}\``);
  return `${code}.label(${label})${required ? '.required()' : ''}${defaultCode(schema)}`;
}

const textParameterCode = (schema: Schema, context: JoiContext): string =>
  validatorCode(schema, { ...context, isText: true });

/** Clients send string constants, such as `open_revs=all`, without the quotes of JSON. */
function jsonParameterCode(schema: Schema, context: JoiContext): string {
  const constants = (schema.anyOf ?? schema.oneOf ?? [schema])
    .map((one) => one.const)
    .filter((one) => typeof one === 'string');
  const list = constants.length > 0 ? `, ${JSON.stringify(constants)}` : '';
  const expected = `${describeSchema(schema, context)}, written as JSON`;
  return `mustBe(json(${joiCode(schema, context)}${list}), ${JSON.stringify(expected)})`;
}

function bodyCode({ body }: Operation, context: JoiContext): string[] {
  const json = body?.media.find(({ type }) => type === 'application/json');
  if (!body || !json) return [];
  // An operation that takes any value ignores it, so clients that send nothing lose nothing.
  const isIgnored = constraintsOf(context.resolve(json.schema)) === '{}';
  // hapi parses an empty body as null.
  const presence = body.required && !isIgnored ? '.empty(null).required()' : '.allow(null)';
  const code = `${validatorCode(json.schema, context)}${presence}.label('the request body')`;
  return [`payload: ${code}.prefs({ convert: false })`];
}

function identifier(component: string): string {
  const camel = component.replace(/[^A-Za-z0-9]+(.)/g, (_match, next: string) => next.toUpperCase());
  return camel.charAt(0).toLowerCase() + camel.slice(1);
}
