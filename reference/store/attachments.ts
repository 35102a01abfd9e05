/** Attachments of documents: how they come, what is known of them, and how they are shown. */
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { components } from '../../openapi/generated/types.service.js';
import { httpError } from '../http/errors.js';
import { isJsonObject, type Json, type JsonObject } from './json.js';

/** What is known of an attachment without its content. */
export interface Attachment {
  content_type: string;
  /** Generation of the revision that brought it. */
  revpos: number;
  /** Names the content: `md5-<base64>` of what was sent, whether it is stored compressed or not. */
  digest: string;
  /** Bytes of the content. */
  length: number;
  /** How the content is stored; absent when it is stored as it came. */
  encoding?: 'gzip';
  /** Bytes of what is stored, when it is compressed. */
  encoded_length?: number;
}

/** The attachments of a revision by name. */
export type Attachments = Readonly<Record<string, Attachment>>;

/** An attachment that comes with its content. */
export interface NewAttachment extends Omit<Attachment, 'revpos'> {
  /** As the writer says; what it is worth depends on the kind of write. */
  revpos?: number;
  /** As they are to be stored. */
  bytes: Buffer;
}

/** A stub stands for the attachment of that name that an earlier revision has. */
export type SubmittedAttachments = ReadonlyMap<string, NewAttachment | 'stub'>;

// What a header field can carry, since it becomes one.
const mediaType = /^[!-~]([ -~]{0,254}[!-~])?$/;
const base64 = /^[A-Za-z0-9+/]*={0,2}$/;
const compressible = /^\s*(text\/[^;]*|application\/(json|javascript|xml))\s*(;|$)/i;

export function newAttachment(contentType: string, content: Buffer): NewAttachment {
  const known = {
    content_type: contentType,
    digest: `md5-${createHash('md5').update(content).digest('base64')}`,
    length: content.length,
  };
  if (!compressible.test(contentType)) return { ...known, bytes: content };
  const bytes = gzipSync(content);
  return { ...known, encoding: 'gzip', encoded_length: bytes.length, bytes };
}

/** @throws 400 that names the attachment and what is wrong with it */
export function parseAttachments(attachments: JsonObject): SubmittedAttachments {
  return new Map(
    Object.entries(attachments).map(([name, attachment]) => {
      checkAttachmentName(name);
      return [name, parseAttachment(name, attachment)];
    }),
  );
}

/** @throws 400 for what cannot be the name of an attachment */
export function checkAttachmentName(name: string): void {
  if (name === '') throw httpError(400, 'bad_request', 'Attachment name must not be empty');
  if (name.startsWith('_'))
    throw httpError(400, 'bad_request', `Attachment name '${name}' starts with prohibited character '_'`);
  if (/\p{Surrogate}/u.test(name))
    throw httpError(400, 'bad_request', 'Attachment name must be valid Unicode');
}

function parseAttachment(name: string, attachment: Json): NewAttachment | 'stub' {
  const problem = (text: string) => httpError(400, 'bad_request', `Attachment '${name}': ${text}`);
  if (!isJsonObject(attachment)) throw problem('it must be an object');
  const { stub, follows, data, content_type: type = 'application/octet-stream', revpos } = attachment;
  if (stub === true && data === undefined) return 'stub';
  if (follows === true)
    throw problem('`follows` needs a multipart request, which is not read here; send the content in `data`');
  if (typeof data !== 'string' || data.length % 4 !== 0 || !base64.test(data))
    throw problem('`data` must be Base64, or `stub` true');
  if (typeof type !== 'string' || !mediaType.test(type)) throw problem('`content_type` must be a media type');
  return {
    ...newAttachment(type, Buffer.from(data, 'base64')),
    ...(typeof revpos === 'number' && { revpos }),
  };
}

/** What makes the attachments of one revision differ from those of another, in an order of its own. */
export function fingerprint(attachments: Attachments): string[][] {
  return Object.entries(attachments)
    .map(([name, { content_type, digest }]) => [name, content_type, digest])
    .sort(([a], [b]) => (a! < b! ? -1 : 1));
}

/** Bytes of content that the attachments have together. */
export function totalLength(attachments: Attachments): number {
  return Object.values(attachments).reduce((sum, { length }) => sum + length, 0);
}

/** Undoes what was done to the content to store it. */
export function decode({ encoding }: Attachment, stored: Buffer): Buffer {
  return encoding ? gunzipSync(stored) : stored;
}

/** How a document shows one of its attachments. */
export type RenderAttachment = (attachment: Attachment) => components['schemas']['Attachment'];

export const renderStub: RenderAttachment = ({ content_type, revpos, digest, length }) => ({
  content_type,
  revpos,
  digest,
  length,
  stub: true,
});

export interface AttachmentOptions {
  /** Show the content, in Base64, and not a stub. */
  attachments: boolean;
  /** Tell how it is stored. */
  att_encoding_info: boolean;
}

/**
 * @param read gives what is stored; it is asked for no content that is not shown
 * @param newerThan attachments that came with this generation or an earlier one stay stubs
 */
export function attachmentRenderer(
  read: (attachment: Attachment) => Buffer,
  { attachments, att_encoding_info }: AttachmentOptions,
  newerThan = 0,
): RenderAttachment {
  return (attachment) => {
    const { content_type, revpos, digest, encoding, encoded_length } = attachment;
    const shown =
      attachments && revpos > newerThan
        ? { content_type, revpos, digest, data: decode(attachment, read(attachment)).toString('base64') }
        : renderStub(attachment);
    return { ...shown, ...(att_encoding_info && encoding && { encoding, encoded_length }) };
  };
}
