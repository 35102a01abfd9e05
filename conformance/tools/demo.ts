/**
 * `npm run demo`: starts the reference server with three nodes and runs the suite against it. With several nodes and
 * `--configure` no check is skipped. Arguments are passed to `docfeed check`.
 */
import { checkOwnServer } from './own-server.js';

const log = (message: string): void => void process.stderr.write(`demo: ${message}\n`);

process.exitCode = await checkOwnServer({ nodes: 3, log }, process.argv.slice(2));
