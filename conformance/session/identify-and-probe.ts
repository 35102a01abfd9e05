/** Identifies the target and probes it before the first check. */
import { type Dialect, dialects } from '../../openapi/generated/dialects.js';
import { type Check, ruleOf } from './scope/rule-checks.js';
import type { TargetCleanup } from './cleanup/cleanup.js';
import type { Databases } from './databases.js';
import { handlersIn, readConfiguration } from './probe/authentication-capabilities.js';
import {
  type CapabilityStatus,
  capabilityStatus,
  copiesOf,
  hasOneShard,
  probeCapabilities,
  type ProbeInput,
} from './probe/capabilities.js';
import { defaultTimeout } from '../http/answers.js';
import { orUnanswered, Unanswered } from '../http/unanswered.js';
import { detect, type Identity, NotThisService } from './probe/greeting.js';
import { showsAdministrator, waysWithoutCreation } from './probe/obstacles.js';
import { probeStorage, storageCapabilities, writeFirst } from './probe/probe-storage.js';
import { probeObstacles } from './probe/probe-obstacles.js';
import { type ProbeResults, targetInfoFrom } from './probe/target-info.js';
import { asObject, parseJson } from '../http/parse-json.js';
import type { Connection } from '../http/http.js';
import type { TrafficObserver } from '../http/traffic-observer.js';
import type { Redactor } from '../http/redact.js';
import type { JournalHeader } from './cleanup/journal-lines.js';
import type { ConformanceOptions } from './conformance-options.js';
import { FeedLag } from './probe/feed-lag.js';
import type { Settings } from './settings/settings.js';
import type { TargetOptions } from './declared-target.js';
import type { Credentials, Exchange, HttpClient } from '../http/client.js';
import { Blocked } from '../engine/outcomes.js';
import { asRefusal, Refusal } from '../engine/refusal.js';

/** @throws Refusal if a URL is not a supported service, or if the dialects of the URLs differ. */
export async function identify(
  client: HttpClient,
  urls: readonly URL[],
  wanted?: Dialect,
): Promise<Identity> {
  const identities: Identity[] = [];
  for (const [node, url] of urls.entries()) {
    try {
      identities.push(await detect(client, node, wanted));
    } catch (error) {
      if (error instanceof NotThisService)
        throw new Refusal('target', `${url.href} ${error.message}`, { cause: error });
      throw asRefusal(error, `${url.href}: `);
    }
  }
  const [first, ...others] = identities as [Identity, ...Identity[]];
  if (others.some(({ dialect }) => dialect !== first.dialect)) {
    throw new Refusal('usage', 'the URLs have different dialects; pass only nodes of one cluster');
  }
  return first;
}

/** What the preparation of a run needs. */
export interface Preparation {
  options: ConformanceOptions;
  urls: readonly URL[];
  targetOptions: TargetOptions;
  /** The selected checks, which decide what to probe. */
  checks: readonly Check[];
  connection: Connection;
  cleanup: TargetCleanup;
  databases: Databases;
  header: JournalHeader;
  redact: Redactor;
  signal: AbortSignal;
  /** They see all requests of the preparation. */
  observers: readonly TrafficObserver[];
  /** Unique part of the name of the database for the probes. */
  probeName: string;
}

/**
 * Verifies the credentials, creates a database for the probes, and collects what the target offers.
 *
 * @throws Refusal if the credentials are not sufficient or the target is unreachable.
 */
export async function probe(
  preparation: Preparation,
  client: HttpClient,
  identity: Identity,
): Promise<{ probeResults: ProbeResults; warnings: string[] }> {
  const { options, targetOptions, checks, connection, cleanup } = preparation;
  const { admin } = options;
  const { nodes } = connection;
  try {
    const session = await orUnanswered(client.request({ path: '/_session', as: 'admin' }));
    if (admin && !(session instanceof Unanswered)) verifyCredentials(session, admin);
    const { database, ofObstacles } = await createProbeDatabases(preparation, client);
    const hasAdmin = admin !== undefined;
    const relevant = new Set(
      checks.flatMap((check) => [...ruleOf(check).needs, ...check.needs, ...check.optional]),
    );
    const input = { client, hasAdmin, nodes, relevant, database };
    const written = await writeFirst(input);
    const ofTarget = Promise.all([
      probeCapabilities(input),
      probeStorage(input, written),
      readConfiguration(client, hasAdmin),
    ]);
    // They count the rows of their database.
    if (ofObstacles === database) await ofTarget;
    const [[capabilities, storage, configuration], { obstacles, lagMs, isWhole }] = await Promise.all([
      ofTarget,
      probeObstacles(client, ofObstacles, {
        session: session instanceof Unanswered ? undefined : session,
        timeout: options.timeout ?? defaultTimeout,
        uncounted: () => connection.rate.heldMs,
      }),
    ]);
    const { settings, status: configRead } = configuration;
    const probed = [...capabilities, ...storage.capabilities];
    const users = probed.find(({ name }) => name === 'users')!;
    const probeResults: ProbeResults = {
      names: dialects[identity.dialect],
      handlers: session instanceof Unanswered ? undefined : handlersIn(session),
      obstacles: [...obstacles, ...storage.obstacles],
      feedLag: new FeedLag(lagMs),
      settings: settings.with(targetOptions.settings, `from ${targetOptions.file}`),
      keys: targetOptions.keys,
      copies: copiesOf(database),
      hasOneShard: 'path' in database && !database.withQ && hasOneShard(database),
      probed: [...probed, configRead, secondFactor(identity, users)],
      declared: targetOptions.declared,
    };
    const warnings = [
      ...('refusal' in database && isForbidden(database.refusal)
        ? ['Only administrators can create databases on the target. Use --admin; most checks need databases.']
        : []),
      ...(admin && !users.available && !users.undecided
        ? ['The target has no users database, so checks of users, passwords and cookies are skipped.']
        : []),
      ...lossWarnings(probeResults),
      ...(isWhole
        ? []
        : [
            'There was no time to find out all that the target lacks, so several findings may have one cause that none names.',
          ]),
      ...settingConflicts(settings, targetOptions),
    ];
    return { probeResults, warnings };
  } catch (error) {
    throw asRefusal(error, 'the target: ');
  } finally {
    preparation.databases.endProbes();
    await cleanup.run();
  }
}

function verifyCredentials(session: Exchange, admin: Credentials): void {
  const { status, text } = session;
  if (status === 401 || status === 403) {
    throw new Refusal('credentials', `the target rejects the credentials of "${admin.name}" (${status})`);
  }
  const isAnonymous = asObject(asObject(parseJson(text))['userCtx'])['name'] === null;
  // Where every request is an administrator, the probes of obstacles say so.
  if (isAnonymous && !showsAdministrator(session)) {
    throw new Refusal(
      'credentials',
      `the target treats requests of "${admin.name}" as anonymous; check whether a proxy removes the header Authorization`,
    );
  }
}

/**
 * Creates the database for probes, and another one for those of obstacles, unless there is only one. The first has the
 * number of shards that databases have by default if that is one. Otherwise it is created with `q=1`.
 */
async function createProbeDatabases(
  { databases, options: { admin }, probeName }: Preparation,
  client: HttpClient,
): Promise<{ database: ProbeInput['database']; ofObstacles: ProbeInput['database'] }> {
  const create = async (suffix: string, query: { q?: number } = {}): Promise<ProbeInput['database']> => {
    const item = databases.plan(`${probeName}${suffix}`);
    const path = `/${item.name}`;
    const created = await databases.create(item, client, query).catch((error: unknown) => {
      if (error instanceof Blocked) return { blocked: error };
      throw error;
    });
    if (created && 'blocked' in created) return created;
    if (created && isForbidden(created) && admin) {
      throw new Refusal(
        'credentials',
        `"${admin.name}" cannot create databases (${created.status}); ${waysWithoutCreation}`,
      );
    }
    if (created && created.status >= 300) return { refusal: created };
    const info = await orUnanswered(client.request({ path, as: 'admin' }));
    return { path, withQ: 'q' in query, ...(!(info instanceof Unanswered) && { info }) };
  };
  const usual = await create('');
  if (!('path' in usual) || databases.isShared) return { database: usual, ofObstacles: usual };
  if (hasOneShard(usual) || !databases.areRequested) {
    const other = await create('-feed');
    return { database: usual, ofObstacles: 'path' in other ? other : usual };
  }
  // The service document has no parameter `q`, so a server may refuse it, or do nothing at all.
  const single = await create('-q', { q: 1 });
  return { database: 'path' in single ? single : usual, ofObstacles: usual };
}

const isForbidden = ({ status }: Exchange): boolean => status === 401 || status === 403;

function lossWarnings(probeResults: ProbeResults): string[] {
  const { lacks, capabilities } = targetInfoFrom(probeResults);
  const lost = storageCapabilities
    .filter((name) => lacks.has(name))
    .map((name) => `${name} (${capabilities.get(name)!.how})`);
  return lost.length === 0 ? [] : [`The suite writes without what the target lacks: ${lost.join(', ')}.`];
}

/** Warns about values in the target file that differ from the configuration. */
function settingConflicts(actual: Settings, { file, settings }: TargetOptions): string[] {
  return Object.entries(settings).flatMap(([name, value]) =>
    (actual.get(name) ?? value) === value
      ? []
      : [`${file} has another value for ${name} than the configuration of the target.`],
  );
}

/** Only a request with a user would reveal one-time codes, so the greeting decides (SERVICE 5.5). */
function secondFactor({ greeting, dialect }: Identity, users: CapabilityStatus): CapabilityStatus {
  if (!users.available) return { ...users, name: 'totp', how: `users cannot be created: ${users.how}` };
  const key = dialects[dialect].greeting;
  const hasKey = typeof greeting[key] === 'string';
  const how = hasKey
    ? `the greeting has "${key}", and that service supports one-time codes`
    : `the greeting does not have "${key}"`;
  return capabilityStatus('totp', hasKey, how);
}
