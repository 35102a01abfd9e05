/** Faults in the attachments of included documents. */
import type { Components } from '../../../reference/index.js';
import { faultsOf, type JsonObject, type Replace } from '../shared/components.faults.js';
import { changeFeedQuery, changeRow, type FeedRow, replaceRendering } from '../shared/feeds.faults.js';
import { unseen } from '../shared/unseen.js';

type RenderRow = Components['rows']['renderRow'];
type Change = Parameters<RenderRow>[1];
type Options = Parameters<RenderRow>[2];

const attachmentsOf = (row: FeedRow) => row.doc?.['_attachments'] as Record<string, JsonObject> | undefined;

/** Changes the attachments of included documents. */
const changeAttachments = (change: (attachment: JsonObject, row: FeedRow) => JsonObject): Replace =>
  changeRow((row) => {
    const attachments = attachmentsOf(row);
    if (!attachments) return row;
    const changed = Object.entries(attachments).map(([name, attachment]) => [name, change(attachment, row)]);
    return { ...row, doc: { ...row.doc, _attachments: Object.fromEntries(changed) as object } };
  });

const changeWhetherIncluded = (isIncluded: (query: Options['query'], change: Change) => boolean): Replace =>
  replaceRendering((original, database, change, options) =>
    original(database, change, {
      ...options,
      query: { ...options.query, attachments: isIncluded(options.query, change) },
    }),
  );

export const feedAttachmentsFaults = faultsOf({
  'feed-attachments': {
    'attachment-base64-for-urls': {
      summary: 'The server encodes the content of attachments in the URL-safe Base64 alphabet.',
      replace: changeAttachments((attachment) => {
        const { data } = attachment;
        if (typeof data !== 'string') return attachment;
        return { ...attachment, data: data.replaceAll('+', '-').replaceAll('/', '_') };
      }),
    },
    'attachment-compressed': {
      summary: 'The server includes compressed attachments without decompressing them.',
      notInTraffic: unseen.stored,
      replace: replaceRendering((original, database, change, options) => {
        const row = original(database, change, options) as FeedRow;
        const { attachments } = change;
        if (!attachments || !options.query.attachments) return row;
        const shown = { ...attachmentsOf(row) };
        for (const [name, attachment] of Object.entries(attachments)) {
          const data = database.contents.read(attachment).toString('base64');
          if (attachment.encoding) shown[name] = { ...shown[name], data };
        }
        return { ...row, doc: { ...row.doc, _attachments: shown } };
      }),
    },
    'attachment-last-byte-lost': {
      summary: 'The server omits the last byte of included attachments of more than 1000 bytes.',
      notInTraffic: unseen.stored,
      replace: changeAttachments((attachment) => {
        const { data } = attachment;
        const content = Buffer.from(typeof data === 'string' ? data : '', 'base64');
        if (content.length <= 1000) return attachment;
        return { ...attachment, data: content.subarray(0, -1).toString('base64') };
      }),
    },
    'attachment-empty-as-stub': {
      summary: 'The server sends a stub for an empty attachment.',
      replace: changeAttachments((attachment) => {
        const { data, ...rest } = attachment;
        return data === '' ? { ...rest, length: 0, stub: true } : attachment;
      }),
    },
    'attachment-large-as-stub': {
      summary: 'The server sends stubs for attachments of more than 8 KiB.',
      replace: changeAttachments((attachment) => {
        const { data, ...rest } = attachment;
        const length = typeof data === 'string' ? Buffer.byteLength(data, 'base64') : 0;
        return length > 8192 ? { ...rest, length, stub: true } : attachment;
      }),
    },
    'attachments-four-at-most': {
      summary: 'The server sends four attachments of a document at most.',
      notInTraffic: unseen.stored,
      replace: changeRow((row) => {
        const attachments = attachmentsOf(row);
        if (!attachments) return row;
        const first = Object.entries(attachments).slice(0, 4);
        return { ...row, doc: { ...row.doc, _attachments: Object.fromEntries(first) as object } };
      }),
    },
    'attachments-of-conflicts-only': {
      summary: 'The server includes the content of attachments only for documents in conflict.',
      replace: changeWhetherIncluded(
        ({ attachments }, { leaves }) => attachments && leaves.conflicts.length > 0,
      ),
    },
    'attachments-older-as-stubs': {
      summary: 'The server sends stubs for attachments of earlier revisions.',
      replace: changeAttachments((attachment, { doc }) => {
        const { data, ...rest } = attachment;
        const isNew = attachment['revpos'] === Number.parseInt(String(doc?.['_rev']), 10);
        return data === undefined || isNew ? attachment : { ...rest, stub: true };
      }),
    },
    'attachments-by-themselves': {
      summary: 'The server includes the content of text attachments without attachments=true.',
      replace: changeWhetherIncluded((query, { attachments = {} }) => {
        const types = Object.values(attachments).map((attachment) => attachment.content_type);
        return query.attachments || types.some((type) => type.startsWith('text/'));
      }),
    },
    'attachments-include-docs': {
      summary: 'The server includes documents with attachments=true alone.',
      replace: changeFeedQuery('any', { include_docs: true }, ({ query }) => query.attachments),
    },
  },
  'feed-att-encoding': {
    'encoding-without-length': {
      summary: 'The server omits encoded_length.',
      replace: changeAttachments((attachment) => ({ ...attachment, encoded_length: undefined })),
    },
    'encoding-length-of-content': {
      summary: 'The server sends the length of the decoded content as encoded_length.',
      notInTraffic: unseen.stored,
      replace: changeAttachments((attachment) =>
        'encoding' in attachment ? { ...attachment, encoded_length: attachment['length'] } : attachment,
      ),
    },
    'encoding-untold': {
      summary: 'The server ignores att_encoding_info=true.',
      notInTraffic: 'The server chooses which attachments to compress.',
      replace: changeFeedQuery('any', { att_encoding_info: false }),
    },
    'encoding-always-told': {
      summary: 'The server sends the encoding of attachments without att_encoding_info=true.',
      replace: changeFeedQuery('any', { att_encoding_info: true }),
    },
    'encoding-told-with-all-docs': {
      summary:
        'The server sends the encoding of attachments with style=all_docs without att_encoding_info=true.',
      replace: changeFeedQuery('any', { att_encoding_info: true }, ({ query }) => query.style === 'all_docs'),
    },
    'encoding-include-docs': {
      summary: 'The server includes documents with att_encoding_info=true alone.',
      replace: changeFeedQuery('any', { include_docs: true }, ({ query }) => query.att_encoding_info),
    },
  },
});
