/** Suggests similar names for a name that does not exist. */
import { distance } from 'fastest-levenshtein';

const maxSuggestions = 3;
/** Shorter names are part of too many others to tell what was meant. */
const minPartLength = 3;

/** @returns the end of a message, such as `; did you mean root-vendor?`, or an empty string if no name is similar. */
export function suggestion(name: string, names: readonly string[]): string {
  const candidates = names
    .map((candidate) => ({ candidate, distance: distance(name, candidate) }))
    .sort((a, b) => a.distance - b.distance);
  const longer = candidates.filter((one) => name.length >= minPartLength && one.candidate.includes(name));
  // Names that are farther away than the nearest one are noise.
  const maxDistance = Math.min(Math.max(1, Math.floor(name.length / 3)), candidates[0]?.distance ?? 0);
  const near = candidates.filter((one) => one.distance <= maxDistance);
  const similar = (longer.length > 0 ? longer : near)
    .slice(0, maxSuggestions)
    .map(({ candidate }) => candidate);
  if (similar.length === 0) return '';
  return `; did you mean ${new Intl.ListFormat('en', { type: 'disjunction' }).format(similar)}?`;
}
