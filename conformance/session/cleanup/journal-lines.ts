/** Defines, parses and validates the lines of a journal. */
import { parseJson } from '../../http/parse-json.js';
import {
  arrayOf,
  aString,
  matching,
  oneOf,
  orNothing,
  objectWith,
  type Matcher,
  satisfying,
} from '../../engine/matchers.js';
import { Refusal } from '../../engine/refusal.js';
import { type JournalTask, namePrefix } from './cleanup-task.js';

/** The first line. */
export interface JournalHeader {
  readonly format: 'docfeed-run-journal/1';
  /** The id of the run, which is part of the names of everything that it creates. */
  readonly run: string;
  readonly urls: readonly string[];
  readonly startedAt: string;
  readonly host: string;
}

/**
 * All other lines: `todo` adds a task, and `done` says that it is finished. `reported` says that the run has ended by
 * itself and has told its user what is left.
 */
export type JournalEntry =
  { id: number; todo: JournalTask } | { id: number; done: true } | { reported: true };

/** A number that counts from 0. */
export const anIndex = satisfying(
  'a number of 0 or more',
  (value) => Number.isInteger(value) && Number(value) >= 0,
);

const taskMatchers: Readonly<Record<JournalTask['kind'], Matcher>> = {
  database: objectWith({
    name: matching(/^docfeed-/, `a name that starts with "${namePrefix}"`),
    remove: orNothing(objectWith({ name: aString, command: aString, folder: aString })),
    url: orNothing(satisfying('a URL', (value) => typeof value === 'string' && URL.canParse(value))),
  }),
  documents: objectWith({
    name: matching(/^docfeed-/, `a name that starts with "${namePrefix}"`),
    database: matching(/^[^_/]/, 'the name of a database'),
    ids: arrayOf(matching(/docfeed-/, `an id that contains "${namePrefix}"`)),
  }),
  user: objectWith({ name: matching(/docfeed-/, `a name that contains "${namePrefix}"`) }),
  lock: objectWith({ run: aString }),
};

const headerMatcher = objectWith({
  format: oneOf(['docfeed-run-journal/1']),
  run: aString,
  urls: arrayOf(aString),
  startedAt: satisfying('a time', (value) => !Number.isNaN(Date.parse(String(value)))),
  host: aString,
});

/**
 * Parses the text of a journal, without an unterminated last line: the run writes a line completely before it acts.
 *
 * @returns no header if the run was killed before it was written.
 * @throws Refusal if a line is invalid. Each line leads to changes of a target, so each is validated.
 */
export function parseJournal(
  file: string,
  text: string,
): { header: JournalHeader | undefined; entries: JournalEntry[] } {
  const lines = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .slice(0, -1)
    .map((line, index) => {
      const value = parseJson(line);
      const difference = (index === 0 ? headerMatcher : entryMatcher(value))(value, '$');
      if (!difference) return value;
      const problem = `invalid ${index === 0 ? 'journal header' : 'journal entry'} at ${difference.path}`;
      throw new Refusal('file', `${file}:${index + 1}: ${problem}`);
    });
  const [header, ...entries] = lines;
  return { header: header as JournalHeader | undefined, entries: entries as JournalEntry[] };
}

function entryMatcher(value: unknown): Matcher {
  const { todo, done, reported } = (value ?? {}) as {
    todo?: Partial<JournalTask>;
    done?: unknown;
    reported?: unknown;
  };
  if (reported === true) return objectWith({});
  if (done === true) return objectWith({ id: anIndex });
  return objectWith({ id: anIndex, todo: taskMatchers[todo?.kind as JournalTask['kind']] ?? oneOf([]) });
}
