/** The target as checks see it. */
import type { CheckOutcome } from '../../engine/check-outcome.js';
import type { DialectNames } from '../../../openapi/generated/dialects.js';
import type { Capability } from '../../../openapi/generated/rules.js';
import type { UnansweredKind } from '../../http/answers.js';
import type { Credentials, HttpClient } from '../../http/client.js';
import type { Connection } from '../../http/http.js';
import type { Authentication } from '../settings/authentication.js';
import type { TargetCleanup } from '../cleanup/cleanup.js';
import type { Databases } from '../databases.js';
import type { TargetFeed } from '../probe/service-version.js';
import type { TargetInfo } from '../probe/target-info.js';

/** What the scopes of a run know about its target. */
export interface TargetState {
  readonly connection: Connection;
  /** The dialect and its names, such as the prefix of user ids. */
  readonly names: DialectNames;
  /** The service version: declared by the user, or taken from the greeting. */
  readonly version?: string;
  /** What its changes feed has. */
  readonly feed: TargetFeed;
  /** The checks that the baseline expects to fail. They send what the target lacks, until only that shows. */
  readonly expected: Set<string>;
  /** What those have shown first that run again without what the target lacks. */
  readonly withheld: Map<string, CheckOutcome>;
  readonly admin?: Credentials;
  /** What the suite knows about the target under its current settings. */
  readonly targetInfo: TargetInfo;
  /** Capabilities that the user requires: a check that needs one of them is blocked instead of skipped. */
  readonly required: ReadonlySet<string>;
  readonly cleanup: TargetCleanup;
  readonly databases: Databases;
  /** A name that no database, user or role of the target has. */
  readonly freshName: () => string;
}

/** What the required settings of a check can depend on. */
export interface ConfiguredTarget {
  readonly names: DialectNames;
  /** Secrets, names and settings of its authentication, including the settings that the check requires. */
  readonly auth: Authentication;
}

/** The target as a check sees it. */
export interface CheckTarget
  extends
    HttpClient,
    ConfiguredTarget,
    Pick<TargetState, 'version' | 'feed' | 'admin'>,
    Pick<TargetInfo, 'hasOneCopy' | 'hasOneShard'> {
  /** The number of nodes. `TargetRequest.node` selects one. */
  readonly nodes: number;
  /** The requests of the run so far that the target does not answer, of each kind one. */
  unanswered(): readonly UnansweredKind[];
  /** A check may only ask for capabilities in its `needs` or `optional`; the others may be unknown. */
  has(capability: Capability): boolean;
  /** A setting by `section/key`; `null` if it is not set, `undefined` if the suite does not know. */
  setting(name: string): string | null | undefined;
}

export function checkTarget(state: TargetState, client: HttpClient): CheckTarget {
  const { names, version, feed, admin, connection, targetInfo } = state;
  const { auth, hasOneCopy, hasOneShard, settings, capabilities } = targetInfo;
  return {
    ...client,
    names,
    version,
    feed,
    admin,
    auth,
    hasOneCopy,
    hasOneShard,
    nodes: connection.nodes,
    unanswered: () => connection.unanswered,
    has: (capability) => {
      const status = capabilities.get(capability);
      // Otherwise the check would generate other cases when it runs alone than in a whole run.
      if (!status)
        throw new Error(`A check must name the capability "${capability}" in \`needs\` or \`optional\`.`);
      return status.available;
    },
    setting: (name) => settings.get(name),
  };
}
