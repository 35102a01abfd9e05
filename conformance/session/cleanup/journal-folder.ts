import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for the journals of this user, according to the XDG base directories. */
export function journalFolder(): string {
  return join(process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state'), 'docfeed');
}
