/** Reads the base URL of a target. */
import { Refusal } from '../engine/refusal.js';

/** @throws Refusal if the text is not an HTTP URL or contains credentials, since URLs end up in logs and reports. */
export function baseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Refusal('usage', `"${text}" is not an HTTP URL such as http://127.0.0.1:5984`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Refusal('usage', 'the URL contains credentials; use --admin or DOCFEED_ADMIN instead');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Refusal('usage', `"${text}" is not a base URL: it must not have a query or fragment`);
  }
  return url;
}
