/** The options of a run against a target, and how they look on the command line. */
import type { Dialect } from '../../openapi/generated/dialects.js';
import type { RunOptions } from '../engine/run-options.js';
import type { Answers } from '../http/answers.js';
import type { Rate } from '../http/rate.js';
import type { Credentials } from '../http/client.js';
import type { Check } from './scope/rule-checks.js';
import type { FeedPart } from './probe/service-version.js';

/** Options of `runConformance` and `startConformance`. Only `urls` is required. */
export interface ConformanceOptions extends RunOptions {
  /** Base URLs of the target. Several URLs are nodes of one cluster. */
  urls: readonly string[];
  /** An administrator of the target. Without one, checks that need users are skipped. */
  admin?: Credentials;
  /** Default: the dialect of the greeting. */
  dialect?: Dialect;
  /** Default: the version in the greeting. Rules of later versions are skipped. */
  serviceVersion?: string;
  /**
   * What no request to the feed may have, since somebody who builds the target comes to it later.
   * @internal
   */
  notYet?: readonly FeedPart[];
  /** A YAML file that declares capabilities and secrets of the target (`docfeed/target-file.schema.json`). */
  target?: string;
  /**
   * A database that exists and that the run may write to, instead of databases of its own. Checks run one after the other
   * there, with documents of their own, which they delete; what needs a database of its own is skipped.
   */
  database?: string;
  /** Capabilities that the target has. Overrides probes and the target file. */
  have?: readonly string[];
  /** Capabilities that the target lacks. Overrides probes and the target file. */
  lack?: readonly string[];
  /** Capabilities that the target must have: a check that would be skipped for lack of one is blocked. */
  require?: readonly string[];
  /** The checks to select from. Default: the whole suite. */
  checks?: readonly Check[];
  /** Lets the run change settings of the target and add keys. The run restores everything at its end. */
  configure?: boolean;
  /**
   * Folder for a journal of what the run must restore and remove, so that `docfeed restore` can do so if the run is
   * killed. Default: the state folder of the user with `configure`, otherwise no journal.
   */
  journalDir?: string;
  /** How long the body of a response may be, in bytes. A longer one is not read to its end, and is a failure. Default: 64 MiB. */
  maxBody?: number;
  /**
   * Seconds in which the target must answer a request that need not wait, as long as it answers others. A request that it
   * does not answer blocks what needs it, and is not sent again. Default: 5.
   */
  timeout?: number;
  /** The greatest number of requests that the target gets in a second. Default: any number. */
  maxRate?: number;
  /**
   * What earlier runs know of the requests that the target does not answer.
   * @internal
   */
  answers?: Answers;
  /**
   * The rate that this run shares with others.
   * @internal
   */
  rate?: Rate;
}

/** Options that a report repeats. */
const reported = [
  'configure',
  'target',
  'database',
  'dialect',
  'serviceVersion',
  'have',
  'lack',
  'maxBody',
  'timeout',
  'maxRate',
] as const;

/** Options that generated cases depend on, so that a replay needs the same. */
const decisive = ['admin', 'configure', 'target', 'database', 'have', 'lack'] as const;

/** The options as command-line arguments, without credentials. */
export const reportedOptions = (options: Partial<ConformanceOptions>): string[] =>
  argumentsOf(options, reported).flat();

/** The options that must be the same in a replay, without the names of files and without credentials. */
export const replayOptions = ({ admin, target, ...options }: Partial<ConformanceOptions>): string[] =>
  argumentsOf({ ...options, admin: admin && true, target: target && 'FILE' }, decisive).map((argument) =>
    argument.join(' '),
  );

function argumentsOf<Name extends string>(
  options: { readonly [name in Name]?: boolean | number | string | readonly string[] },
  names: readonly Name[],
): string[][] {
  return names.flatMap((name) => {
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return [options[name] ?? []].flat().flatMap((value) => {
      if (typeof value === 'boolean') return value ? [[flag]] : [];
      return [[flag, String(value)]];
    });
  });
}
