/** The list of requests: data in `requests/`, one file for each group, and in `fixtures.yaml` what they need. */
import { readdir, readFile } from 'node:fs/promises';
import Joi from 'joi';
import { parse } from 'yaml';

/** Texts in braces, such as `{db}`, are put in when it is sent. */
export interface RequestTemplate {
  /** Method and path. */
  readonly send: string;
  /** Whose credentials it carries: the administrator's unless it says otherwise. */
  readonly as: 'administrator' | 'user' | 'nobody';
  readonly headers: Readonly<Record<string, string>>;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** What to keep of the response for later requests: a path in its JSON, or `cookie`, by the name it gets. */
  readonly keep: Readonly<Record<string, string>>;
}

export interface Entry extends RequestTemplate {
  /** Unique in the whole list. */
  readonly name: string;
  /** What is sent before, to make what the request needs. */
  readonly before: readonly RequestTemplate[];
  /** Settings of the server while the request is sent, by `section/key`. Nothing else is sent at that time. */
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
        .pattern(/^\w+\/\w+$/, Joi.string())
        .default({}),
    }),
  )
  .unique('name');

type Listed = Omit<Entry, 'before'> & { readonly given: readonly string[] };

const folder = new URL('requests/', import.meta.url);

/** The whole list. Throws when a file is not of the form that it should have. */
export async function readEntries(): Promise<Entry[]> {
  const fixtures = await read<Record<string, RequestTemplate[]>>(
    new URL('fixtures.yaml', import.meta.url),
    fixtureFile,
  );
  const files = (await readdir(folder)).sort();
  const groups = files.map(async (file) => {
    const listed = await read<Listed[]>(new URL(file, folder), requestFile);
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
  throw new Error(`${file}: ${entry} needs the fixture ${name}, which there is not`);
}
