import { randomInt } from 'node:crypto';
import getPort from 'get-port';

/**
 * A port for a server that starts later, or where none is. The system gives ports from 32768 on to whoever asks for any,
 * such as outgoing connections of other tests, so that one of those may be taken by then.
 */
export const freePort = (): Promise<number> =>
  getPort({ port: Array.from({ length: 20 }, () => randomInt(20_000, 32_000)) });
