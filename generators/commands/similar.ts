import { distance } from 'fastest-levenshtein';

/**
 * The names that a misspelt name may stand for, closest first, at most five. A name is close if one contains the other
 * or if the edit distance is less than a third of the length.
 */
export function similarNames(name: string, names: readonly string[]): string[] {
  const isContained = (one: string) => name.length > 2 && (one.includes(name) || name.includes(one));
  return names
    .map((one) => ({ one, edits: distance(name, one) }))
    .filter(({ one, edits }) => isContained(one) || edits < Math.max(name.length, one.length) / 3)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 5)
    .map(({ one }) => one);
}
