/**
 * Keeps secrets out of reports and logs: exchanges are recorded through here and in no other way, and so is whatever
 * else comes from the target. The kit's own words stay as they are: a password may be one of them.
 */
import { createHmac, randomBytes } from 'node:crypto';

const mark = '[redacted]';

/** Drawn for this process: without it nobody can try what a mark stands for. */
const marking = randomBytes(32);

/** Headers whose whole value is a secret, but for the scheme of `Authorization`. */
const secretHeader = /^(authorization|proxy-authorization|x-auth-.*-token)$/i;
const cookieHeader = /^(cookie|set-cookie)$/i;

/** JSON members and fields of forms that hold a secret wherever they stand; passwords are apart. */
const secretMember = memberNamed('token|derived_key|salt|password_sha|stored_key');
const secretField = fieldNamed('token');
const passwordMember = memberNamed('password');
const passwordField = fieldNamed('password');
/** The key of the second factor; `key` alone is a word of the API. */
const secondFactor = /("totp"\s*:\s*)\{[^}]*\}/g;

function memberNamed(names: string): RegExp {
  return new RegExp(String.raw`("(?:${names})"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|[^\s,}\]]+)`, 'g');
}

function fieldNamed(name: string): RegExp {
  return new RegExp(String.raw`((?:^|&)${name}=)[^&\s]*`, 'g');
}

export interface Redactor {
  /** Texts that are hidden from now on wherever they turn up. */
  hide: (secrets: readonly string[]) => void;
  /** Hides the given secrets and nothing else. */
  known: (text: string) => string;
  /** Hides what a header holds, where it holds credentials. */
  header: (name: string, value: string) => string;
  /** Hides the secrets in a path or a body. */
  text: (text: string) => string;
  /** As {@link Redactor.text}, of a body that the kit sent: passwords in it are made up for the run and no secrets. */
  sent: (text: string) => string;
}

/**
 * @param secrets texts that are hidden wherever they turn up, such as the administrator's password, for a target
 * that repeats them in a place nobody expects.
 */
export function createRedactor(secrets: readonly string[]): Redactor {
  const known = new Map<string, RegExp>();
  const withoutKnown = (text: string): string =>
    [...known.values()].reduce((rest, secret) => rest.replace(secret, mark), text);
  const hide = (hidden: readonly string[]): void => {
    for (const secret of hidden.filter((text) => text !== '')) {
      for (const form of [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]) {
        known.set(form, occurrences(form));
      }
    }
  };
  hide(secrets);

  const sent = (text: string): string =>
    withoutKnown(
      text
        .replace(secretMember, `$1"${mark}"`)
        .replace(secondFactor, `$1"${mark}"`)
        .replace(secretField, `$1${mark}`),
    );
  const text = (text: string): string =>
    sent(text.replace(passwordMember, `$1"${mark}"`).replace(passwordField, `$1${mark}`));
  const isKnown = (text: string): boolean => withoutKnown(text) !== text;

  return {
    hide,
    known: withoutKnown,
    header(name, value) {
      const basic = /^Basic (.*)$/is.exec(value)?.[1];
      // Of users that were made up for the run, as in bodies.
      if (basic !== undefined && !isKnown(Buffer.from(basic, 'base64').toString('utf8'))) {
        return withoutKnown(value);
      }
      if (secretHeader.test(name)) return value.replace(/^(Basic |Bearer )?.*$/is, `$1${mark}`);
      if (cookieHeader.test(name)) {
        return withoutKnown(
          value.replace(/(AuthSession=)([^;]+)/g, (_, name: string, cookie: string) => name + marked(cookie)),
        );
      }
      return withoutKnown(value);
    },
    text,
    sent,
  };
}

/** A shorter secret may well be a part of other words, as `secret` is of `proxy_use_secret`. */
const longSecret = 12;

const word = String.raw`[\p{L}\p{N}_]`;
/** The end of an escape of a URL or of JSON is no part of the word that follows. */
const escape = String.raw`%[\dA-Fa-f]{2}|\\[bfnrt]|\\u[\dA-Fa-f]{4}`;

/** Where a secret is hidden: everywhere, but a short one only where it is not a part of a longer word. */
function occurrences(secret: string): RegExp {
  const literal = secret.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const isPart = (end: RegExp): boolean => secret.length < longSecret && end.test(secret);
  const before = isPart(new RegExp(`^${word}`, 'u')) ? `(?:(?<!${word})|(?<=${escape}))` : '';
  const after = isPart(new RegExp(`${word}$`, 'u')) ? `(?!${word})` : '';
  return new RegExp(before + literal + after, 'gu');
}

/** Two that are equal have the same mark, so that one sees where a cookie comes from. */
function marked(secret: string): string {
  const digest = createHmac('sha256', marking).update(secret).digest('hex');
  return `[redacted ${digest.slice(0, 8)}]`;
}

/** Data as they are, with the secrets taken out of every text in them. */
export function redactDeep<Value>(hide: (text: string) => string, data: Value): Value {
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return hide(value);
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, clean(member)]));
  };
  return clean(data) as Value;
}
