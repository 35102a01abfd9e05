/** Faults in the attachments of included documents. */
import { type Fault } from '../../reference/index.js';
import { feeding, type FeedRow, rendering } from './shared/feeds.js';
import { type Replace } from './shared/components.js';

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

export const feedAttachmentsFaults: readonly Fault[] = [
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
          const data = database.content(attachment).toString('base64');
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
];
