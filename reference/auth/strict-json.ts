import { isUtf8 } from 'node:buffer';
import { isJsonObject, type JsonObject } from '../store/json.js';

/**
 * Parses a JSON object strictly. Duplicate members are rejected, because different parsers use different ones of them.
 *
 * @returns undefined if the bytes are not a JSON object or contain duplicate members
 */
export function parseJsonObject(bytes: Buffer): JsonObject | undefined {
  if (!isUtf8(bytes)) return undefined;
  const text = bytes.toString();
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) && !hasDuplicateMembers(text) ? value : undefined;
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
