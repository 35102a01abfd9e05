/** Settings that name claims of tokens (SERVICE 5.4). */
import { InvalidValue } from './value-parsers.js';

/** A claim that a token must have (SERVICE 5.4 rule 3). */
export interface RequiredClaim {
  readonly name: string;
  /** What it must be; undefined: whatever is right for a claim of that name. */
  readonly value?: string | undefined;
}

const requiredClaim = /^(?:(?<name>[^\s,{}"]+)|\{\s*(?<named>[^\s,{}"]+)\s*,\s*"(?<value>[^"]*)"\s*\})$/;

/** A list of names, and of pairs of a name and the value that it must have: `exp, {iss, "Kitchen"}`. */
export function requiredClaims(value: string): readonly RequiredClaim[] {
  if (value.trim() === '') return [];
  // At the commas that are not inside braces.
  return value.split(/,(?![^{]*\})/).map((item) => {
    const groups = requiredClaim.exec(item.trim())?.groups;
    if (!groups) throw new InvalidValue('must be a list such as: exp, nbf, {iss, "Kitchen"}');
    return { name: (groups.name ?? groups.named)!, value: groups.value };
  });
}

/** The names on the way to a claim, separated by dots. A dot that is part of a name is written `\.` */
export function claimPath(value: string): readonly string[] {
  if (value === '') throw new InvalidValue('must not be empty');
  return value.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));
}
