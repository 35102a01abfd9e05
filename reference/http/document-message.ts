/**
 * Documents as messages of several parts: first the document, then the contents of its attachments. This translates
 * between them and the same documents in JSON, which have the contents in `_attachments`.
 */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import type { components } from '../../openapi/generated/types.service.js';
import { commonError } from './error-body.js';
import { httpError } from './errors.js';
import { toJson } from './json-text.js';
import { mediaType } from './request-body.js';
import {
  headerText,
  malformed,
  parseMessage,
  writeMessage,
  type Message,
  type ParsedPart,
  type Part,
} from './multipart.js';

type Attachment = components['schemas']['Attachment'];
type Attachments = components['schemas']['Attachments'];

/** A request, before its document is parsed. */
export interface DocumentMessage {
  readonly document: Buffer;
  /** The contents of the attachments. */
  readonly contents: readonly ParsedPart[];
}

/** @throws 400 if the message is malformed, 415 if it does not begin with a document */
export function parseDocumentMessage(contentType: string, body: Buffer): DocumentMessage {
  const [first, ...contents] = parseMessage(contentType, body);
  if (!first) throw malformed('it has no parts');
  if (mediaType(first.contentType) !== 'application/json')
    throw httpError(415, 'bad_content_type', 'The Content-Type of the first part must be application/json');
  return { document: first.body, contents };
}

/**
 * Puts contents into the attachments that they follow.
 *
 * @param maxBytes maximum size of all contents when decompressed
 * @throws 400 if they are not the contents of these attachments, 413
 */
export function insertContents(
  attachments: Attachments,
  contents: DocumentMessage['contents'],
  maxBytes: number,
): void {
  const following = Object.keys(attachments).filter((name) => attachments[name]!.follows);
  if (contents.length !== following.length)
    throw malformed(`${following.length} attachments follow the document, but ${contents.length} parts`);
  // Some clients send no names. JavaScript reorders names that are integers, so the order is only the second choice.
  const named = new Map(contents.map((part) => [part.filename, part]));
  const hasNames = following.every((name) => named.has(name));
  let left = maxBytes;
  for (const [index, name] of following.entries()) {
    const { body } = hasNames ? named.get(name)! : contents[index]!;
    const { content_type, revpos, encoding } = attachments[name]!;
    const length = checkedLength(name, attachments[name]!, body, left);
    left -= length;
    attachments[name] = { content_type, revpos, data: asData(body), encoding, length };
  }
}

/** The bytes of a part in the place of Base64. The parser of documents distinguishes them, since JSON has no bytes. */
export const asData = (bytes: Buffer) => bytes as unknown as string;

/** @returns the length of the content when decompressed */
function checkedLength(
  name: string,
  { encoding, length, encoded_length, digest }: Attachment,
  sent: Buffer,
  maxBytes: number,
): number {
  const announced = encoding === undefined ? length : encoded_length;
  if (announced !== undefined && announced !== sent.length)
    throw malformed(`attachment '${name}' has ${sent.length} bytes, not ${announced}`);
  const [, md5] = /^md5-(.*)$/.exec(digest ?? '') ?? [];
  if (md5 !== undefined && md5 !== createHash('md5').update(sent).digest('base64'))
    throw httpError(400, 'content_md5_mismatch', `Attachment '${name}' does not match its digest`);
  if (encoding === undefined || encoding === 'identity') return sent.length;
  if (encoding !== 'gzip') throw malformed(`the \`encoding\` of attachment '${name}' must be gzip`);
  try {
    return gunzipSync(sent, { maxOutputLength: Math.max(maxBytes, 1) }).length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw commonError(413);
    throw malformed(`attachment '${name}' is not compressed`);
  }
}

/** A document that is sent to a client. */
type Document = components['schemas']['Document'];

/** Reads the stored bytes of an attachment. */
export type ReadContent = (attachment: Attachment) => Buffer;

/**
 * Writes a document, whose contents follow it in parts of their own.
 *
 * @returns undefined if no contents follow
 */
export function writeDocumentMessage(
  document: Document,
  read: ReadContent,
): Message<'multipart/related'> | undefined {
  const contents: Part[] = [];
  for (const [name, attachment] of Object.entries(document._attachments ?? {})) {
    const { content_type = '', encoding, follows } = attachment;
    if (!follows) continue;
    const body = read(attachment);
    const headers = {
      'Content-Disposition': `attachment; filename="${headerText(name)}"`,
      'Content-Type': content_type,
      'Content-Length': String(body.length),
      ...(encoding !== undefined && { 'Content-Encoding': encoding }),
    };
    contents.push({ headers, body });
  }
  if (contents.length === 0) return undefined;
  return writeMessage('multipart/related', [jsonPart(document), ...contents]);
}

/** A part with a document: with its contents as a message of its own. */
export function documentPart(document: Document, read: ReadContent): Part {
  const message = writeDocumentMessage(document, read);
  return message ? { headers: { 'Content-Type': message.type }, body: message.body } : jsonPart(document);
}

/** A part that says why there is no document. */
export const errorPart = (error: object): Part => jsonPart(error, 'application/json; error="true"');

const jsonPart = (value: object, type = 'application/json'): Part => ({
  headers: { 'Content-Type': type },
  body: Buffer.from(toJson(value)),
});
