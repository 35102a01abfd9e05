/** The handlers that checks need, on a target that lets them be switched on while it runs. */
import { readHandlers } from '../client/authentication-capabilities.js';
import { handlerList, handlerNames } from '../client/handler-list.js';
import type { ProbeResults } from '../client/target-info.js';
import type { HttpClient } from '../client/client.js';
import { type ConfigurationContext, changeSettings, setByThisRun } from './configuration.js';
import { proxySecret, unset } from './provision.js';

const list = 'chttpd/authentication_handlers';

/**
 * Adds the handlers of proxies and tokens to the active ones where they are missing, and puts the list back where that
 * has no effect: CouchDB reads it when it starts.
 */
export async function activateHandlers(
  change: ConfigurationContext,
  client: HttpClient,
  findings: ProbeResults,
): Promise<ProbeResults> {
  const { handlers, settings, names } = findings;
  if (handlers === undefined) return findings;
  const missing = ['proxy', 'jwt'].filter((name) => !handlers.includes(name));
  if (missing.length === 0) return findings;

  const present = settings.get(list) ?? handlerList(handlers, names.dialect);
  const unlisted = missing.filter((name) => !handlerNames(present).includes(name));
  const wanted = {
    // In this order: without a token everybody could be anybody.
    ...(missing.includes('proxy') && {
      ...unset(settings, proxySecret()),
      'chttpd_auth/proxy_use_secret': 'true',
    }),
    [list]: [present, handlerList(unlisted, names.dialect)].filter((part) => part !== '').join(', '),
  };
  const { values, tasks, problem } = await changeSettings({ ...change, wanted });
  const onNodes = await Promise.all(
    Array.from({ length: change.nodes }, (_, node) => readHandlers(client, node)),
  );
  if (problem === undefined && onNodes.every((now) => missing.every((name) => now?.includes(name)))) {
    return { ...findings, handlers: onNodes[0], settings: settings.with(values, setByThisRun) };
  }
  await change.cleanup.run(tasks);
  return {
    ...findings,
    handlersFixedReason:
      problem ?? `adding it to ${list} has no effect: the target reads that when it starts`,
  };
}
