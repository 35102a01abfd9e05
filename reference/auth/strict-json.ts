/** JSON of which there must not be two readings. */

/**
 * The object that the bytes are in JSON; undefined when they are none, or when an object in it has a member twice:
 * whoever made the text and whoever reads it could take different ones.
 */
export function parseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !repeatsMembers(text) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Of text that is JSON: no parser here tells. */
function repeatsMembers(json: string): boolean {
  const open: Set<unknown>[] = [];
  for (const [token, string, colon] of json.matchAll(/("(?:[^"\\]|\\.)*")(\s*:)?|[{}[\]]/g)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (colon !== undefined) {
      const name: unknown = JSON.parse(string!);
      const names = open.at(-1)!;
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}
