/** Makes fields optional in the schemas of the suite if another rule than `response-schema` requires them. */
import type { RuleId } from '../../openapi/generated/rules.js';

interface Schemas {
  readonly [name: string]: { readonly required?: readonly string[] };
}

/**
 * Required fields of the description, with the rule that reports a target without them. `response-schema` does not
 * report the same violation again.
 */
export const reportedByOtherRules: Readonly<Record<string, Readonly<Record<string, RuleId>>>> = {
  Greeting: { service: 'root-greeting', couchdb: 'root-greeting', vendor: 'root-greeting' },
  Vendor: { name: 'root-vendor', version: 'root-vendor' },
  SessionInfo: {
    authentication_db: 'session-info-db',
    authentication_handlers: 'session-handlers-order',
  },
  ChangesResponse: { pending: 'feed-pending' },
};

/** @returns a copy of a bundled description in which these fields are optional */
export function makeFieldsOptional(root: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const components = root['components'] as { readonly schemas: Schemas };
  const changed = Object.entries(reportedByOtherRules).map(([name, fields]) => {
    const schema = components.schemas[name]!;
    return [name, { ...schema, required: schema.required?.filter((field) => !(field in fields)) }] as const;
  });
  const schemas = { ...components.schemas, ...Object.fromEntries(changed) };
  return { ...root, components: { ...components, schemas } };
}
