/** Reads the base URL of a target. */
import { Refusal } from '../engine/refusal.js';

/** @throws Refusal if the text is not an HTTP URL or contains credentials, since URLs end up in logs and reports. */
export function baseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Refusal('usage', `"${text}" is not an HTTP URL${suggestUrl(text)}`);
  }
  if (url.username !== '' || url.password !== '') {
    throw new Refusal('usage', 'the URL contains credentials; use --admin or DOCFEED_ADMIN instead');
  }
  if (url.search !== '' || url.hash !== '') {
    throw new Refusal('usage', `"${text}" is not a base URL: it must not have a query or fragment`);
  }
  return url;
}

/** @returns the end of a message: the URL that a host without a scheme stands for, or an example. */
function suggestUrl(text: string): string {
  const url = `http://${text}`;
  const isHost = /^(\[[\da-f:]+\]|[\w.-]+)(:\d+)?(\/|$)/i.test(text) && URL.canParse(url);
  return isHost ? `; did you mean ${url}?` : ' such as http://127.0.0.1:5984';
}
