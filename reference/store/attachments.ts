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
  /** `md5-<base64>` of the uncompressed content. */
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

/** An attachment that was sent with its content. */
export interface NewAttachment extends Omit<Attachment, 'revpos'> {
  /** As sent. Only replicated documents use it. */
  revpos?: number;
  /** The content as it will be stored, compressed or not. */
  bytes: Buffer;
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

export function newAttachment(contentType: string, content: Buffer): NewAttachment {
  const metadata = {
    content_type: contentType,
    digest: `md5-${createHash('md5').update(content).digest('base64')}`,
    length: content.length,
  };
  if (!compressible.test(contentType)) return { ...metadata, bytes: content };
  const bytes = gzipSync(content);
  return { ...metadata, encoding: 'gzip', encoded_length: bytes.length, bytes };
}

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
  const { stub, follows, data, content_type: type = 'application/octet-stream', revpos } = attachment;
  const sentRevpos = typeof revpos === 'number' && { revpos };
  if (stub === true && data === undefined) return { stub, ...sentRevpos };
  if (follows === true)
    throw problem('`follows` needs a PUT of a multipart/related body; send the content in `data`');
  if (typeof data !== 'string' || data.length % 4 !== 0 || !base64.test(data))
    throw problem('`data` must be Base64, or `stub` true');
  if (typeof type !== 'string' || !mediaType.test(type)) throw problem('`content_type` must be a media type');
  return {
    ...newAttachment(type, Buffer.from(data, 'base64')),
    ...sentRevpos,
  };
}

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
}

/**
 * @param read returns the stored content; only called for content that is included
 * @param newerThan attachments that were added up to this generation stay stubs
 */
export function attachmentRenderer(
  read: (attachment: Attachment) => Buffer,
  { attachments, att_encoding_info }: AttachmentOptions,
  newerThan = 0,
): RenderAttachment {
  return (attachment) => {
    const { content_type, revpos, digest, encoding, encoded_length } = attachment;
    const rendered =
      attachments && revpos > newerThan
        ? { content_type, revpos, digest, data: decode(attachment, read(attachment)).toString('base64') }
        : renderStub(attachment);
    return { ...rendered, ...(att_encoding_info && encoding && { encoding, encoded_length }) };
  };
}
