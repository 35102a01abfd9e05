/** JSON objects say the same in any order of their members, and may have members that nobody knows. */
import type { Random } from './random.js';

type Members = Record<string, unknown>;

/** The same value with the members of all objects in another order. */
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

/** With a member of a name that neither the description nor a client knows. */
export function withUnknownMember<T extends object>(value: T): T {
  return { ...value, x_variation: { note: 'clients must ignore what they do not know' } };
}
