/**
 * Parses a JSON object strictly. Duplicate members are rejected, because different parsers use different ones of them.
 *
 * @returns undefined if the bytes are not a JSON object or contain duplicate members
 */
export function parseJsonObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject && !hasDuplicateMembers(text) ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** Expects valid JSON. A separate function is needed, because `JSON.parse` accepts duplicates. */
function hasDuplicateMembers(json: string): boolean {
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
