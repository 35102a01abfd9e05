/** Makes JSON data of values for a report: short enough, and without secrets. */

/** How much of a value a report keeps, in characters. */
const maxKeptLength = 65_536;

/** @returns the value, or its beginning if it is too long for a report. Texts that are cut end with an ellipsis. */
export function limitSize(value: unknown): unknown {
  let left = maxKeptLength;
  const cut = (part: unknown): unknown => {
    const room = Math.max(left, 0);
    if (typeof part === 'string') {
      left -= part.length;
      return part.length > room ? `${part.slice(0, room)}…` : part;
    }
    left -= 1;
    if (typeof part !== 'object' || part === null) return part;
    if (Array.isArray(part)) return part.slice(0, room).map(cut);
    const members = Object.entries(part).slice(0, room);
    return Object.fromEntries(members.map(([name, member]) => [cut(name), cut(member)]));
  };
  return cut(value);
}

/** Converts a generated input to JSON data, with byte arrays in base64. */
export function jsonOf(input: unknown): unknown {
  const json = JSON.stringify(input, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
  );
  return JSON.parse(json ?? 'null');
}

/** Applies `redact` to all strings in JSON data, also to the names of members. */
export function redactDeep<Value>(redact: (text: string) => string, data: Value): Value {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [redact(key), clean(member)]));
  };
  return clean(data) as Value;
}
