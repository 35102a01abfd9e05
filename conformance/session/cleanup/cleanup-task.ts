/** Defines what a run must restore or remove on its target, and describes it. */

import type { ShellCommand } from '../database-command.js';

/**
 * One task. The journal stores those of what the run creates, and the lock; the lock on the target lists the settings:
 * see `lock.ts`.
 */
export type CleanupTask =
  | {
      kind: 'database';
      name: string;
      /** The command that removes it, if another one has created it, and where it is if that one has said so. */
      remove?: ShellCommand;
      url?: string;
    }
  /** Documents in a database of somebody else, by their ids, which all contain `name`. */
  | { kind: 'documents'; name: string; database: string; ids: string[] }
  /** `name` is the id of the user document. */
  | { kind: 'user'; name: string }
  /** `name` is `section/key`; `before` is the value to restore, `null` if there was none. */
  | { kind: 'setting'; node: number; name: string; before: string | null }
  /** The lock that prevents other runs from changing settings while `run` holds it. It goes after its settings. */
  | { kind: 'lock'; run: string };

/** What a run creates on its target. */
export type CreatedItem = Extract<CleanupTask, { kind: 'database' | 'documents' | 'user' }>;

export type CreatedDatabase = Extract<CleanupTask, { kind: 'database' }>;

export type ChangedSetting = Extract<CleanupTask, { kind: 'setting' }>;

/** What the journal stores. */
export type JournalTask = Exclude<CleanupTask, ChangedSetting>;

export type CreatedDocuments = Extract<CleanupTask, { kind: 'documents' }>;

/** Prefix of the names of everything that a run creates. Nothing else is ever removed. */
export const namePrefix = 'docfeed-';

/** Number of tasks that a warning lists. */
const maxListed = 5;

/** A text without the values of settings, which may be secrets. */
export function describeTask(task: CleanupTask): string {
  switch (task.kind) {
    case 'database':
    case 'user':
      return `${task.kind} ${task.name}`;
    case 'documents':
      return `${task.ids.length} documents in ${task.database}`;
    case 'setting':
      return `setting ${task.name}${task.node === 0 ? '' : ` of node ${task.node + 1}`}`;
    case 'lock':
      return 'lock';
  }
}

/** @returns one sentence, or nothing if all tasks are done. */
export function leftoverWarnings(
  tasks: readonly CleanupTask[],
  {
    hasJournal,
    hasAdmin,
    problems = [],
  }: { hasJournal: boolean; hasAdmin: boolean; problems?: readonly string[] },
): string[] {
  if (tasks.length === 0) return [];
  const names = tasks.slice(0, maxListed).map(describeTask).join(', ');
  const more = tasks.length > maxListed ? ` and ${tasks.length - maxListed} more` : '';
  // Without an administrator, most targets refuse to remove anything, even what they let anybody create.
  const admin = hasAdmin ? '' : ' --admin name:password';
  const remedy = hasJournal
    ? `; use \`docfeed restore${admin}\` to try again`
    : hasAdmin
      ? ''
      : '; an administrator of the target must remove it';
  const why = problems.length > 0 ? ` (${problems.join('; ')})` : '';
  return [`The run could not restore or remove: ${names}${more}${why}${remedy}.`];
}

/** Names of the changed settings without keys, whose names differ in each run. */
export function changedSettings(tasks: readonly CleanupTask[]): string[] {
  const names = tasks.flatMap((task) => (task.kind === 'setting' ? [task.name] : []));
  return [...new Set(names)].filter((name) => !name.startsWith('jwt_keys/'));
}
