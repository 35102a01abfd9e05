/** Names of response headers in the usual case. hapi writes them in lower case, and some clients search for `Set-Cookie`. */
import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader } from 'node:http';

const usualNames = new Map<string, string>([
  ['etag', 'ETag'],
  ['www-authenticate', 'WWW-Authenticate'],
]);

/** Returns `Content-Type` for `content-type`. */
function usualName(name: string): string {
  let usual = usualNames.get(name);
  if (usual === undefined) {
    usual = name.replace(/(?<![a-z0-9])(id$|[a-z])/gi, (start) => start.toUpperCase());
    usualNames.set(name, usual);
  }
  return usual;
}

export class ResponseWithUsualNames extends ServerResponse<IncomingMessage> {
  override setHeader(name: string, value: OutgoingHttpHeader): this {
    return super.setHeader(usualName(name), value);
  }
}
