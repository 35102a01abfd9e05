/** Servers that lack something: whatever is not about that must be judged as if they had everything. */
import { createHash } from 'node:crypto';
import picomatch from 'picomatch';
import { type RuleId, rules } from '../../openapi/generated/rules.js';
import { lacks } from '../../reference/index.js';
import type { CheckResult, Report } from '../../reports/report.js';
import type { Alarm, FaultTrial } from '../../reports/selftest.js';
import type { Profile } from '../engine/check.js';
import { faults } from '../rules/faults.js';

/** The circumstances of such a trial: this, and what the server lacks. */
export const withoutPrefix = 'without ';

/** Faults that are tried with each lack. */
const faultsOfEach = 3;

interface LackTrial {
  readonly circumstances: string;
  readonly seed: number;
  readonly profile: Profile;
  readonly server: { readonly lack: readonly string[] };
  /** Rules that are not tried. */
  readonly skip: readonly string[];
}

interface Combination {
  readonly features: readonly string[];
  /** Rules that none of the features alone, but all together leave without a case. */
  readonly about?: readonly RuleId[];
}

/** What real servers were seen to lack together. */
const combinations: readonly Combination[] = [
  // Couchbase Sync Gateway 4.2
  {
    features: [
      'conflicts',
      'deleted-bodies',
      'design-documents',
      'eventsource',
      'filter-design',
      'filter-doc-ids',
      'filter-selector',
      'session',
      'since-now',
    ],
    about: ['filter-in-every-mode'],
  },
  // goydb
  { features: ['conflict-edits', 'recreation', 'all-rows'] },
  // RouchDB 0.3.2
  {
    features: ['conflict-edits', 'exact-numbers', 'filters', 'modes'],
    about: ['feed-parameters-in-every-mode'],
  },
];

/** The rules of authentication, whose requests have nothing of documents and feeds. */
const authentication: readonly RuleId[] = rules
  .filter(({ area }) => area === 'sessions' || area === 'tokens')
  .map(({ id }) => id);

/**
 * The suite against a server without each feature, and without those of each combination; for each of these also some
 * faults of the feed that must still be found. The rules of authentication are tried with the combinations, and with the
 * features that they are about.
 */
export function lackTrials(
  seed: number,
  profile: Profile,
): (LackTrial | (Required<Pick<FaultTrial, 'id' | 'seed' | 'lack'>> & { readonly whole: boolean }))[] {
  const alone = Object.keys(lacks).map((lack) => [lack]);
  return [...alone, ...combinations.map(({ features }) => features)].flatMap((features) => {
    const lack = features.join(',');
    return [
      {
        circumstances: withoutPrefix + lack,
        seed,
        profile,
        server: { lack: features },
        skip: skippedFor(features),
      },
      ...faultsFor(features).map((id) => ({ id, seed, lack, whole: false })),
    ];
  });
}

const skippedFor = (features: readonly string[]): readonly string[] =>
  features.length > 1 || authentication.some(aboutOf(features)) ? [] : authentication;

/** Faults that show without these features: a sample that no new fault changes much. */
function faultsFor(features: readonly string[]): string[] {
  const isAbout = aboutOf(features);
  const concerned = new Set(rules.filter(({ id }) => isAbout(id)).map(({ area }) => area));
  const rank = (id: string): string =>
    createHash('sha256')
      .update(`${features.join(',')} ${id}`)
      .digest('hex');
  return faults
    .filter(({ rule, nodes, isSlow }) => areaOf.get(rule) === 'feed' && !nodes && !isSlow && !isAbout(rule))
    .filter(({ onlyIn = [] }) => !onlyIn.some((area) => concerned.has(area)))
    .map(({ id }) => id)
    .sort((a, b) => rank(a).localeCompare(rank(b)))
    .slice(0, faultsOfEach);
}

const areaOf: ReadonlyMap<string, string> = new Map(rules.map(({ id, area }) => [id, area]));

/** Whether a rule is about one of these features, or about them all together. */
function aboutOf(features: readonly string[]): (rule: string) => boolean {
  const combination = combinations.find((each) => each.features.join() === features.join());
  const about = [...features.flatMap((feature) => lacks[feature]!.about), ...(combination?.about ?? [])];
  return about.length === 0 ? () => false : picomatch(about);
}

/** Rules that the server of a trial never shows, since it is one node. */
const ofClusters = new Set<string>(
  rules.filter(({ needs }) => needs.includes('cluster')).map(({ id }) => id),
);

/**
 * The checks that failed without being about what is lacking, and those of rules that no check could judge although they
 * are not about it.
 */
export function lostWithout(features: readonly string[], { checks }: Report): Alarm[] {
  const isAbout = aboutOf(features);
  const judged = new Set(checks.filter(({ outcome }) => outcome === 'pass').map(({ rule }) => rule));
  return checks
    .filter(({ rule }) => !isAbout(rule) && !ofClusters.has(rule))
    .filter(({ rule, outcome }) => {
      const isUnjudged = outcome === 'skipped' || outcome === 'blocked';
      return isUnjudged ? !judged.has(rule) : outcome !== 'pass';
    })
    .map(alarmOf);
}

export const alarmOf = ({ id, outcome, reason, replay }: CheckResult): Alarm => ({
  id,
  outcome,
  reason,
  replay,
});
