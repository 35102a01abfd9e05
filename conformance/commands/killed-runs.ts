/** Describes runs that have not restored their target: most of them were killed before. */
import { journalFolder } from '../session/cleanup/journal-folder.js';
import type { JournalHeader } from '../session/cleanup/journal-lines.js';
import { journalsOfEndedRuns } from '../session/cleanup/journal.js';

/**
 * @returns one line if other runs have left something on these nodes. What a run has reported itself counts only if
 * it has kept its lock, which stays while a setting is not restored: that affects every later run.
 */
export async function describeKilledRuns(urls: readonly URL[]): Promise<string | undefined> {
  const journals = await journalsOfEndedRuns(journalFolder(), urls);
  const [latest, ...others] = journals.filter(
    ({ isReported, tasks }) => !isReported || tasks.some(({ kind }) => kind === 'lock'),
  );
  if (!latest) return undefined;
  const more = others.length === 0 ? '' : `, and ${others.length} before it`;
  const end = latest.isReported ? 'could not restore all settings' : 'was killed';
  return `the ${describeRun(latest.header)} ${end}${more}; \`docfeed restore\` cleans up after it`;
}

/** @returns the target and the age of a run */
export function describeRun({ urls, startedAt }: JournalHeader): string {
  return `run of ${describeAge(Date.now() - Date.parse(startedAt))} on ${urls.join(' ')}`;
}

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
  ['second', 1000],
] as const;

/** In the largest unit of which at least one has passed. */
function describeAge(ms: number): string {
  const [unit, length] = units.find(([, length]) => ms >= length) ?? units.at(-1)!;
  return new Intl.RelativeTimeFormat('en').format(-Math.floor(Math.max(0, ms) / length), unit);
}
