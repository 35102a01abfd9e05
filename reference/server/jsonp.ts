/**
 * JSONP: a page of another origin loads a JSON response as a script, which calls a function of the page. Any page can
 * then read what the cookie of its user may read, so a setting must allow it.
 */
import { PassThrough, Readable } from 'node:stream';
import type { Request } from '@hapi/hapi';
import { httpError } from '../http/errors.js';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    /** The function that the response calls. Set only if its name has no characters that could do something else. */
    callback?: string;
  }
}

/**
 * Reads the parameter `callback`. Call it before anything is written for the request.
 *
 * @throws 400 for a name with other characters than those of an expression such as `app.handlers[0]`
 */
export function readCallback({ app, query }: Request): void {
  const [name] = [query.callback as string | string[] | undefined].flat();
  if (!name) return;
  if (!/^[\w.[\]]+$/.test(name)) throw httpError(400, 'bad_request', 'invalid_callback');
  app.callback = name;
}

/** Makes a script of a JSON text. As in CouchDB, a comment comes first, because the name is chosen by the page. */
export function asScript(callback: string, json: string | Buffer | Readable): string | Readable {
  const opening = `/* CouchDB */${callback}(`;
  const closing = ');\n';
  if (!(json instanceof Readable)) return opening + json.toString() + closing;
  // As in feeds, nothing is made ahead of the client.
  const script = new PassThrough({ highWaterMark: 1, flush: (done) => done(null, closing) });
  script.push(opening);
  json.once('error', (error) => script.destroy(error));
  // `pipeline` would report a client that goes away as an error of the JSON.
  script.once('close', () => json.destroy());
  return json.pipe(script);
}
