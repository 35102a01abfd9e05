/** Keeps secrets out of reports and logs: exchanges are recorded through here and in no other way. */

const mark = '[redacted]';

/** Headers whose whole value is a secret, but for the scheme of `Authorization`. */
const secretHeader = /^(authorization|proxy-authorization|x-auth-.*-token)$/i;
const cookieHeader = /^(cookie|set-cookie)$/i;

/** JSON members that hold a secret wherever they stand. */
const secretMember =
  /("(?:password|token|derived_key|salt|password_sha|stored_key)"\s*:\s*)(?:"(?:[^"\\]|\\.)*"|[^\s,}\]]+)/g;
/** The key of the second factor; `key` alone is a word of the API. */
const secondFactor = /("totp"\s*:\s*)\{[^}]*\}/g;
const formField = /((?:^|&)(?:password|token)=)[^&\s]*/g;

export interface Redactor {
  /** Texts that are hidden from now on wherever they turn up. */
  hide: (secrets: readonly string[]) => void;
  /** Hides the given secrets and nothing else. */
  known: (text: string) => string;
  /** Hides what a header holds, where it holds credentials. */
  header: (name: string, value: string) => string;
  /** Hides the secrets in a path or a body. */
  text: (text: string) => string;
}

/**
 * @param secrets texts that are hidden wherever they turn up, such as the administrator's password, for a target
 * that repeats them in a place nobody expects.
 */
export function redactor(secrets: readonly string[]): Redactor {
  const known = new Set<string>();
  const withoutKnown = (text: string): string =>
    [...known].reduce((rest, secret) => rest.replaceAll(secret, mark), text);
  const hide = (hidden: readonly string[]): void => {
    for (const secret of hidden.filter((text) => text !== '')) {
      known.add(secret).add(encodeURIComponent(secret)).add(JSON.stringify(secret).slice(1, -1));
    }
  };
  hide(secrets);

  return {
    hide,
    known: withoutKnown,
    header(name, value) {
      if (secretHeader.test(name)) return value.replace(/^(Basic |Bearer )?.*$/is, `$1${mark}`);
      if (cookieHeader.test(name)) return withoutKnown(value.replace(/(AuthSession=)[^;]+/g, `$1${mark}`));
      return withoutKnown(value);
    },
    text(text) {
      return withoutKnown(
        text
          .replace(secretMember, `$1"${mark}"`)
          .replace(secondFactor, `$1"${mark}"`)
          .replace(formField, `$1${mark}`),
      );
    },
  };
}
