import type { Attachment, Attachments, SubmittedAttachments } from './attachments.js';
import type { Statement } from './sqlite/sqlite.js';

/** The contents of the attachments of one database. Each is stored once and counts the revisions that use it. */
export class AttachmentContents {
  readonly #statement: (sql: string) => Statement;

  constructor(statement: (sql: string) => Statement) {
    this.#statement = statement;
  }

  /** Reads the stored bytes of an attachment. They are compressed if the attachment has an `encoding`. */
  read({ digest, encoding }: Attachment): Buffer {
    const row = this.#statement(
      'SELECT b.bytes FROM contents c JOIN bytes b ON b.content = c.key WHERE c.digest = ? AND c.encoding = ?',
    ).get<[bytes: Uint8Array]>(digest, encoding ?? 'identity');
    return Buffer.from(row![0]);
  }

  /** Counts a new revision with these attachments, and stores the contents that are new. */
  add(attachments: Attachments, submitted: SubmittedAttachments): void {
    for (const [name, { digest, encoding = 'identity' }] of Object.entries(attachments)) {
      const [key, uses] = this.#statement(
        `INSERT INTO contents (digest, encoding, uses) VALUES (?, ?, 1)
          ON CONFLICT DO UPDATE SET uses = uses + 1 RETURNING key, uses`,
      ).get<[key: number, uses: number]>(digest, encoding)!;
      const content = submitted.get(name);
      if (uses === 1 && content && 'bytes' in content)
        this.#statement('INSERT INTO bytes VALUES (?, ?)').run(key, content.bytes);
    }
  }

  /** Uncounts a removed revision, and deletes the contents that no other revision uses. */
  remove(attachments: Attachments): void {
    for (const { digest, encoding = 'identity' } of Object.values(attachments)) {
      const [key, uses] = this.#statement(
        'UPDATE contents SET uses = uses - 1 WHERE digest = ? AND encoding = ? RETURNING key, uses',
      ).get<[key: number, uses: number]>(digest, encoding)!;
      if (uses > 0) continue;
      this.#statement('DELETE FROM contents WHERE key = ?').run(key);
      this.#statement('DELETE FROM bytes WHERE content = ?').run(key);
    }
  }
}
