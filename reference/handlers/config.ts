/** The configuration of a node, for server administrators (SERVICE 2.8). */
import { InvalidSetting, warningOf } from '../config/configuration.js';
import type { Context } from './context.js';
import { httpError } from '../http/errors.js';
import type { Handlers } from '../generated/handlers.js';

type ConfigHandlers = Pick<
  Handlers<Context>,
  'getMembership' | 'getConfig' | 'getConfigSection' | 'getConfigKey' | 'putConfigKey' | 'deleteConfigKey'
>;

/** Name of a CouchDB node without cluster. All nodes have it, because they have one configuration. */
const nodeName = 'nonode@nohost';

/** It, and the alias for the local node. */
const nodeNames = [nodeName, '_local'];

export const config: ConfigHandlers = {
  getMembership: () => respond({ all_nodes: [nodeName], cluster_nodes: [nodeName] }),

  getConfig: ({ params: { node } }, { configuration }) => {
    checkNode(node);
    return respond(configuration.all());
  },

  getConfigSection: ({ params: { node, section } }, { configuration }) => {
    checkNode(node);
    return respond(configuration.section(section));
  },

  getConfigKey: ({ params: { node, section, key } }, { configuration }) => {
    checkNode(node);
    return respond(renderValue(configuration.get(section, key)));
  },

  putConfigKey: async ({ params: { node, section, key }, body }, { configuration, log }) => {
    checkNode(node);
    try {
      const old = await configuration.set(section, key, body);
      // As in CouchDB, the response does not say so: clients set what other servers know.
      const warning = warningOf(section, key);
      if (warning !== undefined) log.warn(`PUT _config: ${warning}`);
      return await respond(renderValue(old ?? ''));
    } catch (error) {
      throw error instanceof InvalidSetting ? httpError(400, 'bad_request', error.message) : error;
    }
  },

  deleteConfigKey: ({ params: { node, section, key } }, { configuration }) => {
    checkNode(node);
    return respond(renderValue(configuration.delete(section, key)));
  },
};

const respond = <Body>(body: Body) => Promise.resolve({ status: 200 as const, body });

function checkNode(name: string): void {
  if (!nodeNames.includes(name)) throw httpError(404, 'not_found', `no such node: ${name}`);
}

/**
 * Renders a value as JSON text.
 *
 * @throws 404 if there is no value
 */
function renderValue(value: string | undefined): string {
  if (value === undefined) throw httpError(404, 'not_found', 'unknown_config_value');
  return JSON.stringify(value);
}
