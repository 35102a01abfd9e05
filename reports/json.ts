/** Reading JSON and addressing values in it. */
import type { ErrorObject } from 'ajv/dist/2020.js';

/** @returns the value of a JSON text; `undefined`, which JSON cannot express, if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** @returns the JSONPath of a JSON pointer: `$.checks[0].outcome` for `/checks/0/outcome`. */
export function jsonPath(pointer: string): string {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .map((step) => {
      if (/^\d+$/.test(step)) return `[${step}]`;
      return /^[\w$-]+$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
    });
  return `$${steps.join('')}`;
}

const step = /\.([^.[]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/gy;

/** @returns the names and indices in a JSONPath without its `$`: `results` and `2` for `.results[2]`. */
export function pathSteps(path: string): string[] {
  return [...path.matchAll(step)].map(
    ([, name, index, quoted]) => name ?? index ?? (JSON.parse(quoted!) as string),
  );
}

/** @returns the value at a JSONPath without its `$`, such as `.results[2]`; `undefined` if there is none. */
export function valueAtPath(root: unknown, path: string): unknown {
  return pathSteps(path).reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[key] : undefined,
    root,
  );
}

/** @returns `$.checks[0].outcome must be equal to one of the allowed values: ["pass","fail"]`. */
export function describeSchemaError({ instancePath, message, params }: ErrorObject): string {
  const { additionalProperty, allowedValues } = params as Record<string, unknown>;
  const detail = additionalProperty ?? allowedValues;
  return `${jsonPath(instancePath)} ${message}${detail === undefined ? '' : `: ${JSON.stringify(detail)}`}`;
}
