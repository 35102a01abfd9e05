import { readFile } from 'node:fs/promises';
import test from 'ava';

const read = (path: string): Promise<string> => readFile(path, 'utf8');

test('CONTRIBUTING.md says of each dependency what it is for', async (t) => {
  const { dependencies } = JSON.parse(await read('package.json')) as { dependencies: object };
  const [, section = ''] = (await read('CONTRIBUTING.md')).split('\n## Dependencies\n');
  const described = [...section.split('\n## ')[0]!.matchAll(/^\| `(\S+)`/gm)].map(([, name]) => name);
  t.deepEqual(described.sort(), Object.keys(dependencies).sort());
});
