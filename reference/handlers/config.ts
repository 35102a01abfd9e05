/** The configuration of a node, for server administrators (SERVICE 2.8). */
import { ConfigurationFileError } from '../config/config-file.js';
import { InvalidSetting, warningOf } from '../config/configuration.js';
import type { Context } from './context.js';
import { httpError } from '../http/errors.js';
import type { Settings } from '../config/settings.js';
import type { Handlers } from '../generated/handlers.js';

type ConfigHandlers = Pick<
  Handlers<Context>,
  | 'getMembership'
  | 'getConfig'
  | 'getConfigSection'
  | 'getConfigKey'
  | 'putConfigKey'
  | 'deleteConfigKey'
  | 'reloadConfig'
>;

export const config: ConfigHandlers = {
  // All nodes have one name, because they have one configuration.
  getMembership: (_request, { settings: { nodeName } }) =>
    respond({ all_nodes: [nodeName], cluster_nodes: [nodeName] }),

  getConfig: ({ params: { node } }, { configuration, settings }) => {
    checkNode(node, settings);
    return respond(configuration.all());
  },

  getConfigSection: ({ params: { node, section } }, { configuration, settings }) => {
    checkNode(node, settings);
    return respond(configuration.section(section));
  },

  getConfigKey: ({ params: { node, section, key } }, { configuration, settings }) => {
    checkNode(node, settings);
    return respond(renderValue(configuration.get(section, key)));
  },

  putConfigKey: async ({ params: { node, section, key }, body }, { configuration, settings, log }) => {
    checkNode(node, settings);
    checkSection(section);
    try {
      const old = await configuration.set(section, key, body, 'request');
      // As in CouchDB, the response does not say so: clients set what other servers know.
      const warning = warningOf(section, key);
      if (warning !== undefined) log.warn(`PUT _config: ${warning}`);
      return await respond(renderValue(old ?? ''));
    } catch (error) {
      throw error instanceof InvalidSetting ? httpError(400, 'bad_request', error.message) : error;
    }
  },

  deleteConfigKey: ({ params: { node, section, key } }, { configuration, settings }) => {
    checkNode(node, settings);
    checkSection(section);
    return respond(renderValue(configuration.delete(section, key)));
  },

  reloadConfig: async ({ params: { node } }, { configurationFiles, settings, log }) => {
    checkNode(node, settings);
    try {
      (await configurationFiles.apply()).forEach((warning) => log.warn(warning));
      return await respond({ ok: true as const });
    } catch (error) {
      throw error instanceof ConfigurationFileError ? httpError(400, 'bad_request', error.message) : error;
    }
  },
};

const respond = <Body>(body: Body) => Promise.resolve({ status: 200 as const, body });

/** @throws 404 for other names than that of the node and `_local` */
function checkNode(name: string, { nodeName }: Settings): void {
  if (name !== '_local' && name !== nodeName) throw httpError(404, 'not_found', `no such node: ${name}`);
}

/** In CouchDB, these sections name programs and modules that it runs. Only its files can change them. */
const sectionsOfFiles: ReadonlySet<string> = new Set([
  'daemons',
  'external',
  'feature_flags',
  'httpd_db_handlers',
  'httpd_design_handlers',
  'httpd_global_handlers',
  'native_query_servers',
  'os_daemons',
  'query_servers',
]);

/** @throws 403 */
function checkSection(section: string): void {
  if (sectionsOfFiles.has(section))
    throw httpError(403, 'forbidden', 'Config section blacklisted for modification over HTTP API.');
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
