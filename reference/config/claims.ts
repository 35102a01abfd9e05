/** Values of settings about the claims of JSON Web Tokens (SERVICE 5.4). */
import { InvalidValue } from './value-parsers.js';

/** A claim that a token must have (SERVICE 5.4 rule 3). */
export interface RequiredClaim {
  readonly name: string;
  /** Required value; undefined allows any valid value. */
  readonly value?: string | undefined;
}

const requiredClaim = /^(?:(?<name>[^\s,{}"]+)|\{\s*(?<named>[^\s,{}"]+)\s*,\s*"(?<value>[^"]*)"\s*\})$/;

/** Parses a list of claim names and pairs of name and required value: `exp, {iss, "Kitchen"}`. */
export function requiredClaims(value: string): readonly RequiredClaim[] {
  if (value.trim() === '') return [];
  // Split at commas outside of braces.
  return value.split(/,(?![^{]*\})/).map((item) => {
    const groups = requiredClaim.exec(item.trim())?.groups;
    if (!groups) throw new InvalidValue('must be a list such as: exp, nbf, {iss, "Kitchen"}');
    return { name: (groups.name ?? groups.named)!, value: groups.value };
  });
}

/** Parses the path of a claim: names separated by dots. A dot in a name is written as `\.`. */
export function claimPath(value: string): readonly string[] {
  if (value === '') throw new InvalidValue('must not be empty');
  return value.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.'));
}
