/** How the text of a setting is read. Each throws an `InvalidValue` that says what would be right. */

/** Why a text cannot be the value of a setting: a sentence without its subject, such as `must be true or false`. */
export class InvalidValue extends Error {}

export function nonEmpty(value: string): string {
  if (value === '') throw new InvalidValue('must not be empty');
  return value;
}

export function boolean(value: string): boolean {
  if (value === 'true' || value === 'false') return value === 'true';
  throw new InvalidValue('must be true or false');
}

export const integer =
  (least: number, greatest = Number.MAX_SAFE_INTEGER) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= least && number <= greatest) return number;
    const range =
      greatest === Number.MAX_SAFE_INTEGER ? `of ${least} or more` : `from ${least} to ${greatest}`;
    throw new InvalidValue(`must be a whole number ${range}`);
  };

/** In any case. */
export const oneOf =
  <const Choice extends string>(...choices: readonly Choice[]) =>
  (value: string): Choice => {
    const choice = choices.find((one) => one.toLowerCase() === value.toLowerCase());
    if (choice === undefined) throw new InvalidValue(`must be one of ${choices.join(', ')}`);
    return choice;
  };

/** One or more values of which none repeats, separated by commas. */
export const listOf =
  <Element>(element: (value: string) => Element) =>
  (value: string): readonly Element[] => {
    const elements = value.split(',').map((one) => element(one.trim()));
    if (new Set(elements).size < elements.length) throw new InvalidValue('must not name anything twice');
    return elements;
  };

export function domainName(value: string): string {
  if (/^\.?[a-z\d-]+(?:\.[a-z\d-]+)*$/i.test(value)) return value;
  throw new InvalidValue('must be the name of a domain');
}

/** A name that HTTP allows for a header, in lower case, as node gives them. */
export function headerName(value: string): string {
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(value)) return value.toLowerCase();
  throw new InvalidValue('must be the name of a header');
}

export function httpMethod(value: string): string {
  if (/^[A-Z]+$/.test(value)) return value;
  throw new InvalidValue('must be methods such as GET, separated by commas');
}

/** An origin as browsers write it, without the usual port of its scheme, or `*`. */
export function origin(value: string): string {
  if (value === '*') return value;
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\]+\/?$/i.test(value) || !URL.canParse(value)) {
    throw new InvalidValue('must be * or origins such as http://example.com:8080, separated by commas');
  }
  // Of schemes that are not the web's own a URL does not tell the origin.
  const { origin } = new URL(value);
  return origin === 'null' ? value.replace(/\/$/, '').toLowerCase() : origin;
}
