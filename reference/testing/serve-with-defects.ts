/** Main module: `serve` with an option for defects. */
import { Command } from 'commander';
import { serveCommand } from '../commands/serve.js';
import { faults } from './defects.js';

const serve = serveCommand({ loadFaults: () => Promise.resolve(faults) });
await new Command().addCommand(serve).parseAsync();
