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
    const content = contentOf(name, attachments[name]!, body, left);
    left -= content.length;
    const { content_type, revpos } = attachments[name]!;
    attachments[name] = { content_type, revpos, data: content.toString('base64') };
  }
}

function contentOf(
  name: string,
  { encoding, length, encoded_length, digest }: Attachment,
  sent: Buffer,
  maxBytes: number,
): Buffer {
  const announced = encoding === undefined ? length : encoded_length;
  if (announced !== undefined && announced !== sent.length)
    throw malformed(`attachment '${name}' has ${sent.length} bytes, not ${announced}`);
  const [, md5] = /^md5-(.*)$/.exec(digest ?? '') ?? [];
  if (md5 !== undefined && md5 !== createHash('md5').update(sent).digest('base64'))
    throw httpError(400, 'content_md5_mismatch', `Attachment '${name}' does not match its digest`);
  if (encoding === undefined || encoding === 'identity') return sent;
  if (encoding !== 'gzip') throw malformed(`the \`encoding\` of attachment '${name}' must be gzip`);
  try {
    return gunzipSync(sent, { maxOutputLength: Math.max(maxBytes, 1) });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw commonError(413);
    throw malformed(`attachment '${name}' is not compressed`);
  }
}

/** A document that is sent to a client. */
type Document = components['schemas']['Document'];

/**
 * Writes a document, whose contents follow it in parts of their own.
 *
 * @returns undefined if it has no contents
 */
export function writeDocumentMessage(document: Document): Message<'multipart/related'> | undefined {
  const contents: Part[] = [];
  const attachments = Object.entries(document._attachments ?? {}).map(([name, attachment]) => {
    const { content_type = '', revpos, digest, data } = attachment;
    // The replicator of CouchDB waits five minutes for a content without bytes.
    if (!data) return [name, attachment];
    const body = Buffer.from(data, 'base64');
    const headers = {
      'Content-Disposition': `attachment; filename="${headerText(name)}"`,
      'Content-Type': content_type,
      'Content-Length': String(body.length),
    };
    contents.push({ headers, body });
    return [name, { content_type, revpos, digest, length: body.length, follows: true }];
  });
  if (contents.length === 0) return undefined;
  const first = jsonPart({ ...document, _attachments: Object.fromEntries(attachments) as Attachments });
  return writeMessage('multipart/related', [first, ...contents]);
}

/** A part with a document: with its contents as a message of its own. */
export function documentPart(document: Document): Part {
  const message = writeDocumentMessage(document);
  return message ? { headers: { 'Content-Type': message.type }, body: message.body } : jsonPart(document);
}

/** A part that says why there is no document. */
export const errorPart = (error: object): Part => jsonPart(error, 'application/json; error="true"');

const jsonPart = (value: object, type = 'application/json'): Part => ({
  headers: { 'Content-Type': type },
  body: Buffer.from(toJson(value)),
});
