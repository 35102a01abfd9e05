import { closest } from 'fastest-levenshtein';

/** Ends a message on a name that there is not: `; did you mean feed-pending?` */
export function suggestion(name: string, names: readonly string[]): string {
  const longer = names.filter((one) => one.includes(name) && name !== '');
  return names.length === 0
    ? ''
    : `; did you mean ${closest(name, longer.length > 0 ? longer : [...names])}?`;
}
