/** Serves mock-couch on a port: node mock-couch.js PORT, where the package is installed. */
import { createRequire } from 'node:module';

const [port] = process.argv.slice(2);
createRequire(`${process.cwd()}/`)('mock-couch')
  .createServer({})
  .listen(Number(port), '127.0.0.1', () => console.log(`http://127.0.0.1:${port}/`));
