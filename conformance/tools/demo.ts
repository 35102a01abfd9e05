/**
 * `npm run demo`: starts the reference server with three nodes and runs the suite against it. With several nodes and
 * `--configure` no check is skipped. Arguments are passed to `docfeed check`.
 */
import { checkOwnServer } from './own-server.js';

process.exitCode = await checkOwnServer({
  nodes: 3,
  check: process.argv.slice(2),
  log: (message) => void process.stderr.write(`demo: ${message}\n`),
});
