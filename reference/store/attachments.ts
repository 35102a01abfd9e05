/** Attachments of documents: parsing, metadata, and rendering. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { components } from '../../openapi/generated/types.service.js';
import { httpError } from '../http/errors.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';

/** Metadata of a stored attachment. */
export interface Attachment {
  content_type: string;
  /** Generation of the revision that added it. */
  revpos: number;
  /** `md5-<base64>` of the stored content, compressed or not. */
  digest: string;
  /** Length of the uncompressed content, in bytes. */
  length: number;
  /** Present if the content is stored compressed. */
  encoding?: 'gzip';
  /** Length of the compressed content, in bytes. */
  encoded_length?: number;
}

/** The attachments of a revision, by name. */
export type Attachments = Readonly<Record<string, Attachment>>;

/** A content as it is stored, compressed or not, with what it determines of the attachment. */
export interface Content extends Pick<Attachment, 'digest' | 'length' | 'encoding' | 'encoded_length'> {
  bytes: Buffer;
}

/** An attachment that was sent with its content. */
export interface NewAttachment extends Content {
  content_type: string;
  /** As sent. Only replicated documents use it. */
  revpos?: number;
}

/** Refers to the attachment with the same name in an earlier revision. */
export interface Stub {
  stub: true;
  /** If sent, it must be that of the attachment, which then has not been replaced meanwhile. */
  revpos?: number;
}

export type SubmittedAttachments = ReadonlyMap<string, NewAttachment | Stub>;

// Restricted to the characters of header fields, because it becomes the Content-Type of a response.
const mediaType = /^[!-~]([ -~]{0,254}[!-~])?$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const compressible = /^\s*(text\/[^;]*|application\/(json|javascript|xml))\s*(;|$)/i;

export const newAttachment = (contentType: string, content: Buffer): NewAttachment => ({
  content_type: contentType,
  ...(compressible.test(contentType)
    ? compressedContent(gzipSync(content), content.length)
    : { digest: digestOf(content), length: content.length, bytes: content }),
});

const compressedContent = (bytes: Buffer, length: number): Content => ({
  digest: digestOf(bytes),
  length,
  encoding: 'gzip',
  encoded_length: bytes.length,
  bytes,
});

const digestOf = (bytes: Buffer): string => `md5-${createHash('md5').update(bytes).digest('base64')}`;

/** @throws 400 with the name of the malformed attachment */
export function parseAttachments(attachments: JsonObject): SubmittedAttachments {
  return new Map(
    Object.entries(attachments).map(([name, attachment]) => {
      checkAttachmentName(name);
      return [name, parseAttachment(name, attachment)];
    }),
  );
}

/** @throws 400 for an invalid name */
export function checkAttachmentName(name: string): void {
  if (name === '') throw httpError(400, 'bad_request', 'Attachment name must not be empty');
  if (name.startsWith('_'))
    throw httpError(400, 'bad_request', `Attachment name '${name}' starts with prohibited character '_'`);
  if (/\p{Surrogate}/u.test(name))
    throw httpError(400, 'bad_request', 'Attachment name must be valid Unicode');
}

function parseAttachment(name: string, attachment: Json): NewAttachment | Stub {
  const problem = (text: string) => httpError(400, 'bad_request', `Attachment '${name}': ${text}`);
  if (!isJsonObject(attachment)) throw problem('it must be an object');
  const { content_type: type = 'application/octet-stream', revpos, length, encoding } = attachment;
  const { stub, follows, data } = attachment;
  const sentRevpos = typeof revpos === 'number' && { revpos };
  if (stub === true && data === undefined) return { stub, ...sentRevpos };
  if (follows === true)
    throw problem('`follows` needs a PUT of a multipart/related body; send the content in `data`');
  // JSON has no bytes: these come from a part of a message.
  const isPart = Buffer.isBuffer(data);
  const bytes = isPart ? data : fromBase64(data);
  if (!bytes) throw problem('`data` must be Base64, or `stub` true');
  if (typeof type !== 'string' || !mediaType.test(type)) throw problem('`content_type` must be a media type');
  // As in CouchDB, `encoding` says nothing about Base64.
  return {
    ...(isPart && encoding === 'gzip'
      ? { content_type: type, ...compressedContent(bytes, length as number) }
      : newAttachment(type, bytes)),
    ...sentRevpos,
  };
}

const fromBase64 = (data: Json | undefined): Buffer | undefined =>
  typeof data === 'string' && data.length % 4 === 0 && base64.test(data)
    ? Buffer.from(data, 'base64')
    : undefined;

/** Total length of the attachments, in bytes. */
export function totalLength(attachments: Attachments): number {
  return Object.values(attachments).reduce((sum, { length }) => sum + length, 0);
}

/** Decompresses stored content if necessary. */
export function decode({ encoding }: Attachment, stored: Buffer): Buffer {
  return encoding ? gunzipSync(stored) : stored;
}

/** Renders an attachment as a member of `_attachments`. */
export type RenderAttachment = (attachment: Attachment) => components['schemas']['Attachment'];

export const renderStub: RenderAttachment = ({ content_type, revpos, digest, length }) => ({
  content_type,
  revpos,
  digest,
  length,
  stub: true,
});

export interface AttachmentOptions {
  /** Whether to include the content, in Base64, instead of a stub. */
  attachments: boolean;
  /** Whether to include `encoding` and `encoded_length`. */
  att_encoding_info: boolean;
  /** Whether the included contents follow the document, as they are stored, instead. */
  follow?: boolean;
}

/**
 * @param read returns the stored content; only called for content that is included
 * @param newerThan attachments that were added up to this generation stay stubs
 */
export function attachmentRenderer(
  read: (attachment: Attachment) => Buffer,
  { attachments, att_encoding_info, follow = false }: AttachmentOptions,
  newerThan = 0,
): RenderAttachment {
  return (attachment) => {
    const { encoding, encoded_length } = attachment;
    const rendered =
      attachments && attachment.revpos > newerThan ? included(attachment) : renderStub(attachment);
    return { ...rendered, ...(att_encoding_info && encoding && { encoding, encoded_length }) };
  };

  function included(attachment: Attachment): components['schemas']['Attachment'] {
    const { content_type, revpos, digest, length, encoded_length = length } = attachment;
    // The replicator of CouchDB waits five minutes for a content without bytes.
    return follow && encoded_length > 0
      ? { content_type, revpos, digest, length, follows: true }
      : { content_type, revpos, digest, data: decode(attachment, read(attachment)).toString('base64') };
  }
}
