/** Gives access to the parts of the bundled OpenAPI description and to validators of its JSON Schemas. */
import type { ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { resolvePointer, toPointer } from './json-pointer.js';

/** An object in the description, with the JSON pointer of its place. */
export interface DocumentNode {
  readonly pointer: string;
  readonly value: Readonly<Record<string, unknown>>;
}

const schemaId = 'docfeed:description';

export class OpenApiDocument {
  readonly #ajv: Ajv2020;
  readonly #root: Readonly<Record<string, unknown>>;

  constructor(root: Readonly<Record<string, unknown>>) {
    this.#root = root;
    // The description contains schemas but is not one itself, so ajv must not validate it.
    this.#ajv = new Ajv2020({ strict: false, validateSchema: false, logger: false, verbose: true });
    addFormats.default(this.#ajv);
    this.#ajv.addSchema({ ...root, $id: schemaId }, schemaId);
  }

  /** The object at a JSON pointer, or the object that it refers to with `$ref`. */
  readonly node: (pointer: string) => DocumentNode | undefined = memoize((pointer) => {
    const value = resolvePointer(this.#root, pointer);
    if (typeof value !== 'object' || value === null) return undefined;
    const { $ref } = value as { $ref?: string };
    return $ref === undefined
      ? { pointer, value: value as DocumentNode['value'] }
      : this.node($ref.slice('#'.length));
  });

  child(parent: DocumentNode | undefined, ...keys: string[]): DocumentNode | undefined {
    return parent && this.node(parent.pointer + toPointer(keys));
  }

  children(parent: DocumentNode | undefined): DocumentNode[] {
    return Object.keys(parent?.value ?? {}).flatMap((key) => this.child(parent, key) ?? []);
  }

  /** The JSON Schema of a request body, response or parameter, if its content is JSON. */
  jsonSchema(parent: DocumentNode | undefined): DocumentNode | undefined {
    return this.child(parent, 'content', 'application/json', 'schema');
  }

  readonly validator: (pointer: string) => ValidateFunction = memoize((pointer) => {
    const fragment = pointer.split('/').map(encodeURIComponent).join('/');
    return this.#ajv.compile({ $ref: `${schemaId}#${fragment}` });
  });
}

/** Remembers results: a run looks up the same few keys thousands of times. */
export function memoize<T>(compute: (key: string) => T): (key: string) => T {
  const results = new Map<string, T>();
  return (key) => {
    if (!results.has(key)) results.set(key, compute(key));
    return results.get(key)!;
  };
}
