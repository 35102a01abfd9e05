/**
 * Removes secrets from exchanges and other texts of the target before they get into reports and logs. Texts of the kit
 * are not redacted: a password could be a word that they contain.
 */
import { createHmac, randomBytes } from 'node:crypto';

const mark = '[redacted]';

/** Random for each process, so that readers of a report cannot guess a cookie and verify it by its mark. */
const markKey = randomBytes(32);

/** Headers whose whole value is a secret, except the scheme of `Authorization`. */
const secretHeader = /^(authorization|proxy-authorization|x-auth-.*-token)$/i;
const cookieHeader = /^(cookie|set-cookie)$/i;

/** JSON members and form fields that always contain a secret. Passwords are separate: see `sentText`. */
const secretMember = memberNamed('token|derived_key|salt|password_sha|stored_key');
const secretField = fieldNamed('token');
const passwordMember = memberNamed('password');
const passwordField = fieldNamed('password');
/** The key of the second factor. A member `key` elsewhere is not a secret. */
const secondFactor = /("totp"\s*:\s*)\{[^}]*\}/g;

function memberNamed(names: string): RegExp {
  return new RegExp(String.raw`("(?:${names})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|[^\s,}\]]+)`, 'g');
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
  /** Redacts a body that the kit sent. Keeps passwords that the kit generated for the run. */
  sentText: (text: string) => string;
}

/**
 * @param initial texts to redact wherever they appear, such as the administrator's password: a target may repeat them
 * anywhere.
 */
export function createRedactor(initial: readonly string[]): Redactor {
  const patterns = new Map<string, RegExp>();
  const secrets = (text: string): string =>
    [...patterns.values()].reduce((rest, pattern) => rest.replace(pattern, mark), text);
  const addSecrets = (added: readonly string[]): void => {
    for (const secret of added.filter((text) => text !== '')) {
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
        patterns.set(form, occurrences(form));
      }
    }
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
      // Users that the kit generated for the run, as in bodies.
      if (basic !== undefined && !containsSecret(Buffer.from(basic, 'base64').toString('utf8'))) {
        return secrets(value);
      }
      if (secretHeader.test(name)) return value.replace(/^(Basic |Bearer )?.*$/is, `$1${mark}`);
      if (cookieHeader.test(name)) {
        return secrets(
          value.replace(/(AuthSession=)([^;]+)/g, (_, name: string, cookie: string) => name + markOf(cookie)),
        );
      }
      return secrets(value);
    },
    text,
    sentText,
  };
}

/** Shorter secrets may be parts of other words, as `secret` is part of `proxy_use_secret`. */
const minUniqueLength = 12;

const word = String.raw`[\p{L}\p{N}_]`;
/** Escapes of URLs and JSON may end in a letter that is not part of the following word. */
const escape = String.raw`%[\dA-Fa-f]{2}|\\[bfnrt]|\\u[\dA-Fa-f]{4}`;

/** Matches a long secret everywhere, and a short one only as a whole word. */
function occurrences(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const isInWord = (end: RegExp): boolean => secret.length < minUniqueLength && end.test(secret);
  const before = isInWord(new RegExp(`^${word}`, 'u')) ? `(?:(?<!${word})|(?<=${escape}))` : '';
  const after = isInWord(new RegExp(`${word}$`, 'u')) ? `(?!${word})` : '';
  return new RegExp(before + literal + after, 'gu');
}

/** Equal secrets have equal marks, so that a report shows where a cookie comes from. */
function markOf(secret: string): string {
  const digest = createHmac('sha256', markKey).update(secret).digest('hex');
  return `[redacted ${digest.slice(0, 8)}]`;
}

/** Applies `redact` to all strings in JSON data. */
export function redactDeep<Value>(redact: (text: string) => string, data: Value): Value {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clean(member)]));
  };
  return clean(data) as Value;
}
