/** Describes runs that were killed before they had restored their target. */
import { journalFolder } from '../target/journal-folder.js';
import type { JournalHeader } from '../target/journal-lines.js';
import { journalsOfKilledRuns } from '../target/journal.js';

/** @returns one line if killed runs have left something on these nodes, which they could not say themselves */
export async function describeKilledRuns(urls: readonly URL[]): Promise<string | undefined> {
  const [latest, ...others] = await journalsOfKilledRuns(journalFolder(), urls);
  if (!latest) return undefined;
  const more = others.length === 0 ? '' : `, and ${others.length} before it`;
  return `the ${describeRun(latest.header)} was killed${more}; \`docfeed restore\` cleans up after it`;
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
