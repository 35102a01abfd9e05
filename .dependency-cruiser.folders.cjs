/**
 * Import rules between folders. Tests are excluded, because each of them may use the whole program: that is why these
 * rules have a configuration of their own.
 *
 * The layers of reference/, lowest first; a folder imports only folders before it:
 * generated, http, crypto, store (sqlite, disk), config, auth, filters (evaluation), feed, handlers, server, variation,
 * index.ts, commands, tools.
 */
const { options } = require('./.dependency-cruiser.cjs');

/** Folders whose rules are enforced. */
const checked = '^reference';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-folder-cycles',
      severity: 'error',
      scope: 'folder',
      from: { path: checked },
      to: { circular: true },
    },
    {
      name: 'no-imports-from-the-parent-folder',
      comment: 'A folder uses its subfolders. The rule above does not see the opposite direction.',
      severity: 'error',
      from: { path: `(${checked}.*)/[^/]+/[^/]+$`, pathNot: '^reference/(commands|tools)/' },
      to: { path: '^$1/[^/]+$' },
    },
  ],
  options: { ...options, exclude: { path: '\\.(test|long|every)\\.ts$|/testing/' } },
};
