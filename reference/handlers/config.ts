/** The configuration of a node, for administrators of the server (SERVICE 2.8). */
import { InvalidSetting } from '../config/configuration.js';
import type { Context } from './context.js';
import { httpError } from '../http/errors.js';
import type { Handlers } from '../generated/handlers.js';

type ConfigHandlers = Pick<
  Handlers<Context>,
  'getConfig' | 'getConfigSection' | 'getConfigKey' | 'putConfigKey' | 'deleteConfigKey'
>;

/** The node's own name, as of a CouchDB that is no cluster, and the one by which any node calls itself. */
const names = ['nonode@nohost', '_local'];

export const config: ConfigHandlers = {
  getConfig: ({ params: { node } }, { configuration }) => {
    checkNode(node);
    return answer(configuration.all());
  },

  getConfigSection: ({ params: { node, section } }, { configuration }) => {
    checkNode(node);
    return answer(configuration.section(section));
  },

  getConfigKey: ({ params: { node, section, key } }, { configuration }) => {
    checkNode(node);
    return answer(present(configuration.get(section, key)));
  },

  putConfigKey: async ({ params: { node, section, key }, body }, { configuration }) => {
    checkNode(node);
    try {
      return await answer(present((await configuration.set(section, key, body)) ?? ''));
    } catch (error) {
      throw error instanceof InvalidSetting ? httpError(400, 'bad_request', error.message) : error;
    }
  },

  deleteConfigKey: ({ params: { node, section, key } }, { configuration }) => {
    checkNode(node);
    return answer(present(configuration.delete(section, key)));
  },
};

const answer = <Body>(body: Body) => Promise.resolve({ status: 200 as const, body });

function checkNode(name: string): void {
  if (!names.includes(name)) throw httpError(404, 'not_found', `no such node: ${name}`);
}

/** A value as JSON: text is sent as it is. Throws 404 when there is none. */
function present(value: string | undefined): string {
  if (value === undefined) throw httpError(404, 'not_found', 'unknown_config_value');
  return JSON.stringify(value);
}
