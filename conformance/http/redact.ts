/**
 * Removes secrets from exchanges and other texts of the target before they get into reports and logs. Texts of the suite
 * are not redacted: a password could be a word that they contain.
 */
import { createHmac, randomBytes } from 'node:crypto';

const mark = '[redacted]';

/** Random for each process, so that readers of a report cannot guess a cookie and verify it by its mark. */
const markKey = randomBytes(32);

/** Headers whose whole value is a secret, except the scheme of `Authorization`. */
const secretHeader = /authorization|auth.*token/i;
const cookieHeader = /^(cookie|set-cookie)$/i;

/** JSON members and form fields that always contain a secret. Passwords are separate: see `sentText`. */
const secretMember = memberNamed('token|derived_key|salt|password_sha|stored_key');
const secretField = fieldNamed('token');
const passwordMember = memberNamed('password');
const passwordField = fieldNamed('password');
/** The key of the second factor. A member `key` elsewhere is not a secret. */
const secondFactor = /("totp"\s*:\s*)\{[^}]*(?:\}|$)/g;

/**
 * Each value ends at the end of the text at the latest. Otherwise a text that is cut inside of a secret would keep a part
 * of it, and a hostile text with many beginnings and no end would take quadratic time.
 */
function memberNamed(names: string): RegExp {
  return new RegExp(
    String.raw`("(?:${names})"\s*:\s*)(?:"[^"\\]*(?:\\.[^"\\]*)*(?:"|\\?$)|[^\s,}\]]+)`,
    'gs',
  );
}

function fieldNamed(name: string): RegExp {
  return new RegExp(String.raw`((?:^|&)${name}=)[^&\s]*`, 'g');
}

export interface Redactor {
  /** Adds texts to redact from now on, wherever they appear. */
  addSecrets: (secrets: readonly string[]) => void;
  /** Redacts only the given secrets. */
  secrets: (text: string) => string;
  /** Redacts the value of a header, if it contains credentials. */
  header: (name: string, value: string) => string;
  /** Redacts a path or body. */
  text: (text: string) => string;
  /** Redacts a body that the suite sent. Keeps passwords that the suite generated for the run. */
  sentText: (text: string) => string;
  /**
   * Redacts the first `length` characters of a text with one of the functions above, so that a huge text costs no more
   * than what is kept of it. The cut leaves no part of a secret.
   */
  beginning: (text: string, length: number, redact: (text: string) => string) => string;
  /** The length of the longest text to redact, in characters. */
  readonly longest: number;
}

/**
 * @param initial texts to redact wherever they appear, such as the administrator's password: a target may repeat them
 * anywhere.
 */
export function createRedactor(initial: readonly string[]): Redactor {
  const patterns = new Map<string, string | RegExp>();
  let forms: readonly string[] = [];
  const secrets = (text: string): string =>
    forms.reduce((rest, form) => rest.replaceAll(patterns.get(form)!, mark), text);
  const addSecrets = (added: readonly string[]): void => {
    for (const secret of added.filter((text) => text !== '')) {
      for (const form of literalForms(secret)) patterns.set(form, occurrences(form, minUniqueLength));
      for (const form of encodedForms(secret)) patterns.set(form, occurrences(form, minEncodedLength));
    }
    // The longest first, since a secret may contain another one.
    forms = [...patterns.keys()].sort((a, b) => b.length - a.length);
  };
  addSecrets(initial);

  const sentText = (text: string): string =>
    secrets(
      text
        .replace(secretMember, `$1"${mark}"`)
        .replace(secondFactor, `$1"${mark}"`)
        .replace(secretField, `$1${mark}`),
    );
  const text = (text: string): string =>
    sentText(text.replace(passwordMember, `$1"${mark}"`).replace(passwordField, `$1${mark}`));
  const containsSecret = (text: string): boolean => secrets(text) !== text;

  return {
    addSecrets,
    secrets,
    header(name, value) {
      const basic = /^Basic (.*)$/is.exec(value)?.[1];
      // Users that the suite generated for the run, as in bodies.
      if (basic !== undefined && !containsSecret(Buffer.from(basic, 'base64').toString('utf8'))) {
        return secrets(value);
      }
      if (secretHeader.test(name)) return value.replace(/^(Basic |Bearer )?.*$/is, `$1${mark}`);
      if (cookieHeader.test(name)) {
        // A request may have a session cookie under another name. The attributes of `Set-Cookie` are no secrets.
        const secret = /^cookie$/i.test(name)
          ? /(AuthSession=|[^=;\s]+=(?=[^;]{16}))([^;]+)/g
          : /(AuthSession=)([^;]+)/g;
        return secrets(value.replace(secret, (_, start: string, cookie: string) => start + markOf(cookie)));
      }
      return secrets(value);
    },
    text,
    sentText,
    beginning(text, length, redact) {
      let end = length;
      for (let before = 0; before < end && end < text.length;) {
        before = end;
        for (const form of forms) {
          const start = text
            .slice(0, end + form.length - 1)
            .indexOf(form, Math.max(0, end - form.length + 1));
          if (start !== -1) end = Math.max(end, start + form.length);
        }
      }
      return redact(text.slice(0, end)).slice(0, length);
    },
    get longest() {
      return forms[0]?.length ?? 0;
    },
  };
}

/** A secret as a target may repeat it in a text, a URL or JSON. */
function literalForms(secret: string): string[] {
  const wellFormed = Buffer.from(secret).toString();
  return [secret, encodeURIComponent(wellFormed), JSON.stringify(secret).slice(1, -1)];
}

/** A secret in hexadecimal and in base64, alone or inside of a longer encoded text such as `name:password`. */
function encodedForms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const hex = bytes.toString('hex');
  const base64 = [0, 1, 2].map((shift) => {
    const shifted = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    // The characters at both ends also depend on the neighbours of the secret.
    return shifted.slice(Math.ceil((shift * 8) / 6), Math.floor((shift + bytes.length) * (8 / 6)));
  });
  const alone = bytes.toString('base64').replace(/=+$/, '');
  const standard = [alone, ...base64.filter((form) => form.length >= minEncodedLength)];
  const forUrls = standard.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
  return [hex, hex.toUpperCase(), ...standard, ...forUrls];
}

/** Shorter secrets may be parts of other words, as `secret` is part of `proxy_use_secret`. */
const minUniqueLength = 12;
/** Encoded secrets look random, so that even short ones are hardly parts of anything else. */
const minEncodedLength = 7;

const word = String.raw`[\p{L}\p{N}_]`;
/** Escapes of URLs and JSON may end in a letter that is not part of the following word. */
const escape = String.raw`%[\dA-Fa-f]{2}|\\[bfnrt]|\\u[\dA-Fa-f]{4}`;

/** What matches a secret everywhere, or only as a whole word if it is shorter than `minLength`. */
function occurrences(secret: string, minLength: number): string | RegExp {
  if (secret.length >= minLength) return secret;
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const before = new RegExp(`^${word}`, 'u').test(secret) ? `(?:(?<!${word})|(?<=${escape}))` : '';
  const after = new RegExp(`${word}$`, 'u').test(secret) ? `(?!${word})` : '';
  return new RegExp(before + literal + after, 'gu');
}

/** Equal secrets have equal marks, so that a report shows where a cookie comes from. */
function markOf(secret: string): string {
  const digest = createHmac('sha256', markKey).update(secret).digest('hex');
  return `[redacted ${digest.slice(0, 8)}]`;
}
