/** Faults in attachments, their encoding, and seqs of every Nth row. */
import type { Fault } from '../../reference/index.js';
import { feeding, rendering, type FeedRow, type Replace } from './feeding.js';

type Attachment = Readonly<Record<string, unknown>>;

/** Shows attachments in another way; undefined leaves one out. */
function showingAttachments(
  change: (attachment: Attachment, name: string, row: FeedRow) => Attachment | undefined,
): Replace {
  return rendering((row) => {
    const shown = row.doc?.['_attachments'] as Record<string, Attachment> | undefined;
    if (!shown) return row;
    const changed = Object.entries(shown).flatMap(([name, attachment]) => {
      const other = change(attachment, name, row);
      return other ? [[name, other] as const] : [];
    });
    return { ...row, doc: { ...row.doc, _attachments: Object.fromEntries(changed) } };
  });
}

const sized = (attachment: Attachment, bytes: number): boolean =>
  Buffer.from(String(attachment['data']), 'base64').length === bytes;

/** Every seq but some is null, the row at that place counted from 0. */
const numbering = (isNumbered: (index: number, interval: number, rows: number) => boolean): Replace =>
  feeding(async ({ query, read }) => {
    const feed = await read({ seq_interval: 1 });
    const { seq_interval: interval } = query;
    if (interval === undefined) return feed;
    const results = feed.results.map((row, index) =>
      isNumbered(index, interval, feed.results.length) ? row : { ...row, seq: null },
    );
    return { ...feed, results };
  });

export const parameterFaults: readonly Fault[] = [
  {
    id: 'attachment-base64-for-urls',
    rule: 'feed-attachments',
    summary: 'The content of attachments is in the alphabet of Base64 for URLs.',
    replace: showingAttachments((attachment) =>
      typeof attachment['data'] === 'string'
        ? { ...attachment, data: attachment['data'].replaceAll('+', '-').replaceAll('/', '_') }
        : attachment,
    ),
  },
  {
    id: 'attachment-compressed',
    rule: 'feed-attachments',
    summary: 'The content of a compressed attachment is included as it is stored.',
    replace: (parts) => ({
      ...parts,
      renderRow(database, change, options) {
        const { attachments } = change;
        if (!attachments || !options.attachments) return parts.renderRow(database, change, options);
        const row = parts.renderRow(database, change, options) as FeedRow;
        const shown = { ...(row.doc?.['_attachments'] as Record<string, Attachment>) };
        for (const [name, attachment] of Object.entries(attachments)) {
          const data = database.contents.read(attachment).toString('base64');
          if (attachment.encoding) shown[name] = { ...shown[name], data };
        }
        return { ...row, doc: { ...row.doc, _attachments: shown } } as ReturnType<typeof parts.renderRow>;
      },
    }),
  },
  {
    id: 'attachment-empty-as-stub',
    rule: 'feed-attachments',
    summary: 'An attachment without a byte stays a stub.',
    replace: showingAttachments((attachment) => {
      const { data, ...rest } = attachment;
      return data !== undefined && sized(attachment, 0) ? { ...rest, length: 0, stub: true } : attachment;
    }),
  },
  {
    id: 'attachments-of-conflicts-only',
    rule: 'feed-attachments',
    summary: 'Only documents in conflict come with the content of their attachments.',
    replace: (parts) => ({
      ...parts,
      renderRow: (database, change, options) =>
        parts.renderRow(database, change, {
          ...options,
          attachments: options.attachments && change.leaves.conflicts.length > 0,
        }),
    }),
  },
  {
    id: 'attachments-older-as-stubs',
    rule: 'feed-attachments',
    summary: 'Attachments that an earlier revision brought stay stubs.',
    replace: showingAttachments((attachment, _, { doc }) => {
      const { data, ...rest } = attachment;
      const isNew = attachment['revpos'] === Number.parseInt(String(doc?.['_rev']), 10);
      return data === undefined || isNew ? attachment : { ...rest, stub: true };
    }),
  },
  {
    id: 'attachments-by-themselves',
    rule: 'feed-attachments',
    summary: 'Text is included without being asked for.',
    replace: (parts) => ({
      ...parts,
      renderRow: (database, change, options) =>
        parts.renderRow(database, change, {
          ...options,
          attachments:
            options.attachments ||
            Object.values(change.attachments ?? {}).some(({ content_type: type }) =>
              type.startsWith('text/'),
            ),
        }),
    }),
  },
  {
    id: 'attachments-include-docs',
    rule: 'feed-attachments',
    summary: 'attachments=true includes the documents by itself.',
    replace: feeding(({ query, read }) => read({ include_docs: query.include_docs || query.attachments })),
  },
  {
    id: 'encoding-without-length',
    rule: 'feed-att-encoding',
    summary: 'The length of what is stored is not told.',
    replace: showingAttachments((attachment) => ({ ...attachment, encoded_length: undefined })),
  },
  {
    id: 'encoding-length-of-content',
    rule: 'feed-att-encoding',
    summary: 'The encoded length is that of the content.',
    replace: showingAttachments((attachment) =>
      'encoding' in attachment ? { ...attachment, encoded_length: attachment['length'] } : attachment,
    ),
  },
  {
    id: 'encoding-untold',
    rule: 'feed-att-encoding',
    summary: 'att_encoding_info is ignored in the feed.',
    replace: feeding(({ read }) => read({ att_encoding_info: false })),
  },
  {
    id: 'encoding-always-told',
    rule: 'feed-att-encoding',
    summary: 'Stubs say how attachments are stored without being asked.',
    replace: feeding(({ read }) => read({ att_encoding_info: true })),
  },
  {
    id: 'encoding-include-docs',
    rule: 'feed-att-encoding',
    summary: 'att_encoding_info=true includes the documents by itself.',
    replace: feeding(({ query, read }) =>
      read({ include_docs: query.include_docs || query.att_encoding_info }),
    ),
  },
  {
    id: 'seq-interval-one-more',
    rule: 'feed-seq-interval',
    summary: 'One row more than asked for goes without a seq.',
    replace: numbering((index, interval) => interval === 1 || index % (interval + 1) === interval),
  },
  {
    id: 'seq-interval-first-only',
    rule: 'feed-seq-interval',
    summary: 'Only the first of the rows in the interval has a seq, and then none.',
    replace: numbering((index, interval) => index % interval === 0 && index < 2 * interval),
  },
  {
    id: 'seq-interval-rows-dropped',
    rule: 'feed-seq-interval',
    summary: 'Rows after the last one that has a seq are left out.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.seq_interval === undefined) return feed;
      const last = feed.results.findLastIndex(({ seq }) => seq !== null);
      return { ...feed, results: last < 0 ? feed.results : feed.results.slice(0, last + 1) };
    }),
  },
  {
    id: 'seq-interval-last-seq-null',
    rule: 'feed-seq-interval',
    summary: 'last_seq is null when the last row has no seq.',
    replace: feeding(async ({ read }) => {
      const feed = await read();
      return feed.results.at(-1)?.seq === null ? { ...feed, last_seq: null } : feed;
    }),
  },
  {
    id: 'seq-interval-of-the-next',
    rule: 'feed-seq-interval',
    summary: 'A row has the seq of the one after it.',
    replace: feeding(async ({ query, read }) => {
      const feed = await read();
      if (query.seq_interval === undefined) return feed;
      const whole = await read({ seq_interval: 1 });
      const results = feed.results.map((row, index) =>
        row.seq === null ? row : { ...row, seq: whole.results[index + 1]?.seq ?? row.seq },
      );
      return { ...feed, results };
    }),
  },
];
