/** Converts JSON, which may be malformed since a target can send anything. */

/** @returns the value, or `undefined` if the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** @returns the value itself if it is an object or array, otherwise an empty object. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Converts a generated input to JSON data, with byte arrays in base64. */
export function jsonOf(input: unknown): unknown {
  const json = JSON.stringify(input, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return JSON.parse(json ?? 'null');
}
