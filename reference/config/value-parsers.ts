/** Parsers for the text of settings. They throw `InvalidValue` with the requirement that the text does not meet. */

/** The text is not a valid value. The message is a sentence without a subject, such as `must be true or false`. */
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
  (min: number, max = Number.MAX_SAFE_INTEGER) =>
  (value: string): number => {
    const number = Number(value);
    if (/^\d+$/.test(value) && number >= min && number <= max) return number;
    const range = max === Number.MAX_SAFE_INTEGER ? `of at least ${min}` : `from ${min} to ${max}`;
    throw new InvalidValue(`must be an integer ${range}`);
  };

/** Compares without regard to case. */
export const oneOf =
  <const Choice extends string>(...choices: readonly Choice[]) =>
  (value: string): Choice => {
    const choice = choices.find((one) => one.toLowerCase() === value.toLowerCase());
    if (choice === undefined) throw new InvalidValue(`must be one of ${choices.join(', ')}`);
    return choice;
  };

/** One or more different values, separated by commas. */
export const listOf =
  <Element>(element: (value: string) => Element) =>
  (value: string): readonly Element[] => {
    const elements = value.split(',').map((one) => element(one.trim()));
    if (new Set(elements).size < elements.length) throw new InvalidValue('must not contain duplicates');
    return elements;
  };

/** As in CouchDB, an empty value means none. */
export function domainName(value: string): string | undefined {
  if (value === '') return undefined;
  if (/^\.?[a-z\d-]+(?:\.[a-z\d-]+)*$/i.test(value)) return value;
  throw new InvalidValue('must be a domain name');
}

/** Returns the header name in lower case, as Node does. */
export function headerName(value: string): string {
  if (/^[!#$%&'*+.^_`|~\w-]+$/.test(value)) return value.toLowerCase();
  throw new InvalidValue('must be a header name');
}

export function httpMethod(value: string): string {
  if (/^[A-Z]+$/.test(value)) return value;
  throw new InvalidValue('must be methods such as GET, separated by commas');
}

/** Returns an origin as browsers send it, without the default port of its scheme, or `*`. */
export function origin(value: string): string {
  if (value === '*') return value;
  if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@\\]+\/?$/i.test(value) || !URL.canParse(value)) {
    throw new InvalidValue('must be * or origins such as http://example.com:8080, separated by commas');
  }
  // `URL` only knows the origins of web schemes.
  const { origin } = new URL(value);
  return origin === 'null' ? value.replace(/\/$/, '').toLowerCase() : origin;
}
