/** Writes, splits and resolves JSON pointers (RFC 6901). */

export function toPointer(keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pointerKeys(pointer: string): string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** @returns `undefined` if the pointer leads nowhere. */
export function resolvePointer(root: unknown, pointer: string): unknown {
  return pointerKeys(pointer).reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | null | undefined)?.[key],
    root,
  );
}
