import { readFile } from 'node:fs/promises';
import test from 'ava';
import { checkCommand } from './check.js';

interface Schema {
  readonly properties: {
    readonly check: { readonly properties: Readonly<Record<string, { readonly enum?: string[] }>> };
  };
}

test('the options in a target file are options of check, with the same choices', async (t) => {
  const schema = JSON.parse(await readFile('conformance/session/target-file.schema.json', 'utf8')) as Schema;
  const { url, ...inFile } = schema.properties.check.properties;
  t.truthy(url);
  const { options } = checkCommand();
  for (const [name, { enum: choices }] of Object.entries(inFile)) {
    const option = options.find((one) => one.name() === name);
    t.truthy(option, name);
    if (option?.argChoices) t.deepEqual(choices, option.argChoices, name);
  }
});
