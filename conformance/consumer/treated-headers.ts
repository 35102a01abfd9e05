/** Gives the headers of a response another form, as a scenario says. */
import type { ResponseForm } from './scenario.js';

type Header = readonly [name: string, value: string];

/** Load balancers set such a cookie, so that later requests get to the same server. */
const cookieOfProxy = 'route=node-1; Path=/; HttpOnly';

/** What a cookie says of its lifetime. */
const lifetime = /; *(max-age|expires)=[^;]*/gi;

export function treatedHeaders(
  headers: readonly Header[],
  { mediaTypes, otherCookie, maxAge, secureCookie }: ResponseForm = {},
): Header[] {
  return headers.flatMap(([name, value]): Header[] => {
    switch (name.toLowerCase()) {
      case 'content-type':
        return [[name, mediaTypes ? `${value.split(';')[0]}; charset="UTF-8"` : value]];
      case 'set-cookie': {
        const cookie = maxAge === undefined ? value : `${value.replace(lifetime, '')}; Max-Age=${maxAge}`;
        return [
          ...(otherCookie ? [[name, cookieOfProxy] as const] : []),
          [name, secureCookie ? `${cookie}; Secure` : cookie],
        ];
      }
      default:
        return [[name, value]];
    }
  });
}
