import { Refusal } from '../verdict/refusal.js';

/** Reads a base URL. Credentials have their own option, since a URL ends up in logs and reports. */
export function baseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Refusal('usage', `"${text}" is no http URL, such as http://127.0.0.1:5984`);
  if (url.username !== '' || url.password !== '') {
    throw new Refusal('usage', 'give credentials with --admin or DOCFEED_ADMIN, not in the URL');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Refusal('usage', `"${text}" is no base URL: it must end before ? and #`);
  }
  return url;
}
