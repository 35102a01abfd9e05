/** Faults of event streams. */
import { type Fault } from '../../reference/index.js';
import { type Answer, type Context, type Replace } from './shared/components.js';
import {
  asking,
  type Handlers,
  losingTheLast,
  movedBy,
  onlyOnce,
  opening,
  patient,
  type Request,
  rowsAs,
  withoutRestart,
} from './shared/open-feeds.js';

/** A stream that is resumed after an event begins so many changes further on. */
const resumingAt = (by: number): Replace =>
  opening('eventsource', (feed) => (feed.options.start.parameter === 'since' ? {} : movedBy(feed, by)));

export const eventsourceFaults: readonly Fault[] = [
  {
    id: 'eventsource-plain-text',
    rule: 'eventsource-stream',
    summary: 'The answer to a POST has the media type text/plain.',
    replace: (parts) => {
      const { postChanges } = parts.handlers;
      const faulty = async (request: Request, context: Context): Promise<Answer> => {
        const answer = (await postChanges(request as never, context)) as Answer;
        return request.query.feed === 'eventsource' ? ({ ...answer, type: 'text/plain' } as Answer) : answer;
      };
      return {
        ...parts,
        handlers: { ...parts.handlers, postChanges: faulty as unknown as Handlers['postChanges'] },
      };
    },
  },
  {
    id: 'eventsource-lines-without-field',
    rule: 'eventsource-stream',
    summary: 'A row with a document is spread over lines of which only the first is data.',
    replace: rowsAs(
      'eventsource',
      () => (text, row) => (row.doc === undefined ? text : `data: ${JSON.stringify(row, null, 1)}\n\n`),
    ),
  },
  {
    id: 'eventsource-deletions-named',
    rule: 'eventsource-stream',
    summary: 'The event of a deletion has a type of its own.',
    replace: rowsAs(
      'eventsource',
      () =>
        (text, { deleted }) =>
          deleted ? `event: deleted\n${text}` : text,
    ),
  },
  {
    id: 'eventsource-loses-last-of-several',
    rule: 'eventsource-live',
    summary: 'Of several changes that come at once, an event stream loses the last.',
    replace: losingTheLast('eventsource'),
  },
  {
    id: 'eventsource-ends-when-read',
    rule: 'eventsource-live',
    summary: 'With include_docs, an event stream ends after the changes that are there already.',
    replace: opening('eventsource', ({ mode, options }) => ({
      mode: options.includeDocs ? { ...mode, waits: 'for rows' } : mode,
    })),
  },
  {
    id: 'eventsource-document-once',
    rule: 'eventsource-live',
    summary: 'An event stream gives each document once.',
    replace: onlyOnce('eventsource'),
  },
  {
    id: 'last-event-id-after-since',
    rule: 'eventsource-last-event-id',
    summary: 'A since in the same request overrides Last-Event-ID.',
    replace: asking('eventsource', ({ query, headers }) =>
      query.since === 'now' ? { headers: { ...headers, 'last-event-id': undefined } } : {},
    ),
  },
  {
    id: 'last-event-id-inclusive',
    rule: 'eventsource-last-event-id',
    summary: 'A stream that is resumed begins with the last event again.',
    replace: resumingAt(-1),
  },
  {
    id: 'last-event-id-skips',
    rule: 'eventsource-last-event-id',
    summary: 'A stream that is resumed leaves out the next event.',
    replace: resumingAt(1),
  },
  {
    id: 'last-event-id-header-only',
    rule: 'eventsource-last-event-id',
    summary: 'The query parameter last-event-id is ignored.',
    replace: asking('eventsource', ({ query }) => ({ query: { ...query, 'last-event-id': undefined } })),
  },
  {
    id: 'eventsource-limit-off-by-one',
    rule: 'eventsource-limit-timeout',
    summary: 'An event stream gives one row more than limit.',
    replace: asking('eventsource', ({ query }) =>
      query.limit === undefined ? {} : { query: { ...query, limit: query.limit + 1 } },
    ),
  },
  {
    id: 'eventsource-timeout-not-restarted',
    rule: 'eventsource-limit-timeout',
    summary: 'The timeout of an event stream begins with the stream, and no change puts it off.',
    replace: withoutRestart('eventsource'),
  },
  {
    id: 'eventsource-timeout-late',
    rule: 'eventsource-limit-timeout',
    summary: 'An event stream ends after twenty times its timeout.',
    replace: patient('eventsource', 'end', 20),
  },
];
