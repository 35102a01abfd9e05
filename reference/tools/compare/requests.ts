/** Reads the requests in `requests/*.yaml` and their fixtures in `fixtures.yaml`. */
import { readdir, readFile } from 'node:fs/promises';
import Joi from 'joi';
import { parse } from 'yaml';

/** A request with variables in braces, such as `{db}`. */
export interface RequestTemplate {
  /** Method and path. */
  readonly send: string;
  /** Whose credentials to send. Default `administrator`. */
  readonly as: 'administrator' | 'user' | 'nobody';
  readonly headers: Readonly<Record<string, string>>;
  /** Strings are sent unchanged, other values as JSON. */
  readonly body?: unknown;
  /** Variables to set from the response: a JSON member, `cookie` or `etag`, by variable name. */
  readonly keep: Readonly<Record<string, string>>;
}

export interface Entry extends RequestTemplate {
  /** Unique name. */
  readonly name: string;
  /** Requests that create the fixtures. */
  readonly before: readonly RequestTemplate[];
  /** Settings of the server during the request, by `section/key`. No other requests are sent at the same time. */
  readonly settings: Readonly<Record<string, string>>;
}

const template = {
  send: Joi.string()
    .pattern(/^[A-Z]+ \/\S*$/)
    .required(),
  as: Joi.valid('administrator', 'user', 'nobody').default('administrator'),
  headers: Joi.object().pattern(Joi.string(), Joi.string()).default({}),
  body: Joi.any(),
  keep: Joi.object().pattern(Joi.string(), Joi.string()).default({}),
};
const fixtureFile = Joi.object().pattern(Joi.string(), Joi.array().items(Joi.object(template)));
const requestFile = Joi.array()
  .items(
    Joi.object({
      ...template,
      name: Joi.string().required(),
      given: Joi.array().items(Joi.string()).default([]),
      settings: Joi.object()
        .pattern(/^\w+\/\w+$/, Joi.string().allow(''))
        .default({}),
    }),
  )
  .unique('name');

type RequestInFile = Omit<Entry, 'before'> & { readonly given: readonly string[] };

const folder = new URL('requests/', import.meta.url);

/** Reads all requests. Throws if a file is invalid. */
export async function readEntries(): Promise<Entry[]> {
  const fixtures = await read<Record<string, RequestTemplate[]>>(
    new URL('fixtures.yaml', import.meta.url),
    fixtureFile,
  );
  const files = (await readdir(folder)).sort();
  const groups = files.map(async (file) => {
    const listed = await read<RequestInFile[]>(new URL(file, folder), requestFile);
    return listed.map(({ given, ...entry }): Entry => {
      const before = given.flatMap((name) => fixtures[name] ?? unknownFixture(file, entry.name, name));
      return { ...entry, before };
    });
  });
  return (await Promise.all(groups)).flat();
}

async function read<T>(file: URL, form: Joi.Schema): Promise<T> {
  return Joi.attempt(parse(await readFile(file, 'utf8')), form, file.pathname) as T;
}

function unknownFixture(file: string, entry: string, name: string): never {
  throw new Error(`${file}: ${entry} needs the unknown fixture ${name}`);
}
