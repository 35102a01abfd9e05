/** Recorded requests as curl commands for a shell. */
import { quote } from 'shlex';
import type { RecordedExchange, Report } from '../../report.js';
import { escapeInvisible } from '../../escape.js';

/** Headers that curl sends anyway. */
const impliedHeaders: Readonly<Record<string, string>> = { accept: '*/*' };

/** @returns the command that sends the request again. It reads the administrator from `DOCFEED_ADMIN`. */
export function curlCommand({ target }: Report, { request, response, time }: RecordedExchange): string {
  const { method, path, headers, body, as, node = 0 } = request;
  const base = target.url.split(' ')[node] ?? target.url;
  const origin = URL.canParse(base) ? new URL(base).origin : base;
  const isOpen = response === undefined || response.unfinished === true;
  const seconds = Math.ceil(((time?.endMs ?? 1000) - (time?.startMs ?? 0)) / 1000) + 1;
  const words = [
    'curl -i',
    // Without -N, curl shows the rows of an open feed late.
    ...(isOpen ? [`-N --max-time ${seconds}`] : []),
    ...(as === 'admin' ? ['-u "$DOCFEED_ADMIN"'] : []),
    ...(method === (body === undefined ? 'GET' : 'POST') ? [] : [`-X ${method}`]),
    ...Object.entries(headers)
      .filter(([name]) => !(as === 'admin' && name.toLowerCase() === 'authorization'))
      .filter(([name, value]) => impliedHeaders[name.toLowerCase()] !== value)
      .map(([name, value]) => `-H ${quote(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quote(body)}`]),
    quote(origin + path),
  ];
  return escapeInvisible(words.join(' '), '\n');
}
