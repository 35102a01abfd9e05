/** The areas of the service, for overviews. The id of a rule starts with its subject, which decides its area. */
const areas: readonly (readonly [area: string, subjects: readonly string[]])[] = [
  ['Greeting', ['root']],
  ['Sessions and users', ['session', 'login', 'cookie', 'users']],
  ['Basic', ['basic']],
  ['Proxy', ['proxy']],
  ['JWT', ['jwt']],
  ['One-time codes', ['totp']],
  ['Changes feed', ['feed']],
  ['Feed modes', ['normal', 'longpoll', 'continuous', 'eventsource', 'heartbeat', 'timeout']],
  ['Filters', ['filter']],
  ['Errors', ['error', 'response']],
  ['Cluster', ['cluster']],
];

const other = 'Other';

/** @returns the name of the area of a rule. A report of another version can have rules of unknown areas. */
export function areaOf(rule: string): string {
  const subject = rule.split('-')[0]!;
  return areas.find(([, subjects]) => subjects.includes(subject))?.[0] ?? other;
}

/** @returns the values by area, in the order of the service document; areas without values are left out. */
export function groupByArea<T>(
  values: readonly T[],
  ruleOf: (value: T) => string,
): [area: string, values: T[]][] {
  return [...areas.map(([area]) => area), other].flatMap((area): [string, T[]][] => {
    const members = values.filter((value) => areaOf(ruleOf(value)) === area);
    return members.length === 0 ? [] : [[area, members]];
  });
}
