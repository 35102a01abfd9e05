/** Variations of JSON objects: order of members, and additional members. */
import type { Random } from './random.js';

type Members = Record<string, unknown>;

/** Returns the value with the members of all objects in random order. */
export function shuffleMembers(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleMembers(item, random));
  if (typeof value !== 'object' || value === null) return value;
  const rest = Object.entries(value);
  const members: Members = {};
  while (rest.length > 0) {
    const [[name, member]] = rest.splice(random.upTo(rest.length - 1), 1) as [[string, unknown]];
    members[name] = shuffleMembers(member, random);
  }
  return members;
}

/** Adds a member that the description does not have. */
export function withUnknownMember<T extends object>(value: T): T {
  return { ...value, x_variation: { note: 'clients must ignore what they do not know' } };
}
