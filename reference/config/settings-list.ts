/** The list of all settings for a user: `docfeed serve --list-settings`. */
import type { DialectNames } from '../../openapi/generated/dialects.js';
import { mapSections, namedSettings, random } from './settings.js';

interface Entry {
  /** `section/key` */
  readonly setting: string;
  /** Absent if there is none. */
  readonly default?: string;
  readonly meaning: string;
}

/** @returns two lines per setting, or a JSON array */
export function listSettings(dialect: DialectNames, asJson: boolean): string {
  const entries = settingEntries(dialect);
  if (asJson) return `${JSON.stringify(entries, null, 2)}\n`;
  return entries
    .map(({ setting, default: initial, meaning }) => {
      const value = initial === undefined ? '(no default)' : `= ${initial}`;
      return `${setting} ${value}\n  ${meaning}\n`;
    })
    .join('');
}

function settingEntries(dialect: DialectNames): Entry[] {
  const named = Object.values(namedSettings).map(({ place, meaning, default: initial }): Entry => {
    if (initial === undefined) return { setting: place, meaning };
    const text = initial === random ? '(random)' : typeof initial === 'function' ? initial(dialect) : initial;
    return { setting: place, default: text, meaning };
  });
  const ofSections = Object.values(mapSections).map(({ section, keys, meaning }): Entry => {
    return { setting: `${section}/${keys}`, meaning };
  });
  return [...named, ...ofSections];
}
