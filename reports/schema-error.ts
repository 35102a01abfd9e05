/** Describes errors of the JSON Schema validator in plain text. */
import type { ErrorObject } from 'ajv';

/** @returns a phrase that starts with "must", such as `must be one of hmac, rsa, ec`. Needs ajv's option `verbose`. */
export function describeSchemaError({ keyword, params, parentSchema, message }: ErrorObject): string {
  const schema = parentSchema as { properties?: object; description?: string } | undefined;
  switch (keyword) {
    case 'additionalProperties': {
      const allowed = Object.keys(schema?.properties ?? {}).join(', ');
      return `must not have the property "${params['additionalProperty']}"${allowed && `; allowed: ${allowed}`}`;
    }
    case 'required':
      return `must have the property "${params['missingProperty']}"`;
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`;
    case 'const':
      return `must be ${JSON.stringify(params['allowedValue'])}`;
    case 'anyOf':
      return `must be ${schema?.description ?? 'one of the allowed forms'}`;
    default:
      return message ?? `must satisfy ${keyword}`;
  }
}
