/** How a run with `--configure` begins: the lock, what the run adds to the target, and whether the target lets it. */
import { asRefusal } from '../runner/discovery.js';
import { Blocked } from '../verdict/outcomes.js';
import { Refusal } from '../verdict/refusal.js';
import type { Claim } from '../client/capabilities.js';
import type { Connection } from '../client/http.js';
import type { Findings } from '../client/target-info.js';
import type { Redactor } from '../client/redact.js';
import { secretsIn } from '../client/settings.js';
import type { HttpClient } from '../client/client.js';
import {
  changeableConfiguration,
  changeSettings,
  type Configuration,
  fixedConfiguration,
} from './configuration.js';
import type { RunFacts } from './journal.js';
import type { Ledger } from './cleanup.js';
import { takeLock } from './lock.js';
import { activateHandlers } from './activate-handlers.js';
import { provisions, withProvisions } from './provision.js';

interface Begun {
  configuration: Configuration;
  warnings: string[];
}

/** Without `--configure`. */
export function notTakenOver(findings: Findings): Begun {
  const why = '--configure is not given';
  return {
    configuration: fixedConfiguration(configWrite({ ...findings, handlersStay: why }, false, why)),
    warnings: [],
  };
}

/** Whether settings can be changed, as a capability. */
function configWrite(findings: Findings, available: boolean, how: string): Findings {
  return {
    ...findings,
    probed: [...findings.probed, { name: 'config-write', available, how } satisfies Claim],
  };
}

/**
 * Takes the lock and adds what checks need to sign tokens with.
 *
 * @returns a configuration that can be changed, or with a warning one that cannot, where the target refuses.
 * @throws Refusal when another run is at work on the target.
 */
export async function takeOver(input: {
  connection: Connection;
  client: HttpClient;
  ledger: Ledger;
  facts: RunFacts;
  redact: Redactor;
  findings: Findings;
  version: string | undefined;
  signal: AbortSignal;
}): Promise<Begun> {
  const { connection, client, ledger, facts, redact, findings, version, signal } = input;
  const refused = async (why: string): Promise<Begun> => {
    await ledger.pay();
    return {
      configuration: fixedConfiguration(configWrite(findings, false, why)),
      warnings: [`--configure: ${why}; settings stay as they are.`],
    };
  };
  if (!findings.probed.some(({ name, available }) => name === 'config-read' && available)) {
    return refused('the configuration cannot be read');
  }
  const lock = ledger.owe({ kind: 'lock', run: facts.run });
  try {
    await takeLock(client, facts);
  } catch (error) {
    if (error instanceof Refusal) ledger.settle(lock);
    if (error instanceof Blocked) return refused(error.message);
    throw asRefusal(error);
  }
  const change = { connection, signal, nodes: facts.urls.length, ledger };
  const active = await activateHandlers(change, client, findings);
  const { keys, values: wanted } = await provisions(active, facts.run, version);
  const { values, problem } = await changeSettings({ ...change, wanted });
  if (problem !== undefined) return refused(problem);
  const provided = withProvisions(active, keys, values);
  redact.hide(secretsIn(provided.settings));
  return {
    configuration: changeableConfiguration({
      ...change,
      findings: configWrite(provided, true, '--configure is given, and the target takes settings'),
    }),
    warnings: [],
  };
}
