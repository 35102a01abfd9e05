/** Activates the authentication handlers that checks need, if the target allows this without a restart. */
import { readHandlers } from '../probe/authentication-capabilities.js';
import { handlerList, handlerNames } from '../settings/handler-list.js';
import type { ProbeResults } from '../probe/target-info.js';
import type { HttpClient } from '../../http/client.js';
import { changeSettings, type ConfigurationContext, setByThisRun } from './apply-settings.js';
import { proxySecret, unset } from './provision.js';

const handlersSetting = 'chttpd/authentication_handlers';

/**
 * Adds the handlers of proxies and tokens if they are missing. Restores the setting if that has no effect: CouchDB reads
 * it only when it starts.
 */
export async function activateHandlers(
  context: ConfigurationContext,
  client: HttpClient,
  probeResults: ProbeResults,
): Promise<ProbeResults> {
  const { handlers, settings, names } = probeResults;
  if (handlers === undefined) return probeResults;
  const missing = ['proxy', 'jwt'].filter((name) => !handlers.includes(name));
  if (missing.length === 0) return probeResults;

  const current = settings.get(handlersSetting) ?? handlerList(handlers, names.dialect);
  const added = missing.filter((name) => !handlerNames(current).includes(name));
  const wanted = {
    // Before the handlers: a proxy handler without a token lets any client claim any user name.
    ...(missing.includes('proxy') && {
      ...unset(settings, proxySecret()),
      'chttpd_auth/proxy_use_secret': 'true',
    }),
    [handlersSetting]: [current, handlerList(added, names.dialect)].filter((part) => part !== '').join(', '),
  };
  const { values, tasks, problem } = await changeSettings({ ...context, wanted });
  const activeByNode = await Promise.all(
    Array.from({ length: context.connection.nodes }, (_, node) => readHandlers(client, node)),
  );
  if (
    problem === undefined &&
    activeByNode.every((active) => missing.every((name) => active?.includes(name)))
  ) {
    return { ...probeResults, handlers: activeByNode[0], settings: settings.with(values, setByThisRun) };
  }
  await context.cleanup.run(tasks);
  return {
    ...probeResults,
    handlersFixedReason:
      problem?.message ??
      `adding it to ${handlersSetting} has no effect because the target reads that at startup`,
  };
}
