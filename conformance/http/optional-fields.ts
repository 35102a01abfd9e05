/** Makes fields optional in the schemas of the suite if another rule than `response-schema` is about them. */

interface Schemas {
  readonly [name: string]: {
    readonly required?: readonly string[];
    readonly properties?: Readonly<Record<string, { readonly 'x-rules'?: readonly string[] }>>;
  };
}

/**
 * A rule that names a property of a schema reports a target without it, so `response-schema` does not report the same
 * violation again.
 *
 * @returns a copy of a bundled description in which these properties are optional
 */
export function makeFieldsOptional(root: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const components = root['components'] as { readonly schemas: Schemas };
  const schemas = Object.entries(components.schemas).map(([name, schema]) => {
    const required = schema.required?.filter((field) => !schema.properties?.[field]?.['x-rules']);
    return [name, { ...schema, ...(required && { required }) }] as const;
  });
  return { ...root, components: { ...components, schemas: Object.fromEntries(schemas) } };
}
