/** The recipes of README.md for tests in other languages work, where the language is there. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { execa, parseCommandString } from 'execa';
import { emptyFolder } from '../reports/testing/folder.js';
import { program } from '../reports/testing/program.js';

const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');

const junit = 'junit-platform-console-standalone';

/** By the language of the code: where it goes, and the commands that run it. The first word of each must be there. */
const recipes: Readonly<Record<string, { readonly file: string; readonly commands: readonly string[] }>> = {
  python: {
    file: 'test_couch.py',
    commands: [
      'python3 -m venv venv',
      'venv/bin/python -m pip install --quiet pytest==8.4.2',
      'venv/bin/python -m pytest test_couch.py',
    ],
  },
  go: { file: 'couch_test.go', commands: ['go mod init app', 'go test .'] },
  java: {
    file: 'CouchTest.java',
    commands: [
      `mvn --quiet dependency:copy -Dartifact=org.junit.platform:${junit}:1.11.4 -DoutputDirectory=. -Dmdep.stripVersion`,
      `javac -cp ${junit}.jar CouchTest.java`,
      `java -jar ${junit}.jar execute -cp . --select-class CouchTest`,
    ],
  },
  rust: {
    file: 'tests/couch.rs',
    commands: ['cargo init --quiet --lib --name app', 'cargo test --test couch'],
  },
};

for (const [language, { file, commands }] of Object.entries(recipes)) {
  test(`the recipe in ${language} works`, async (t) => {
    const missing = await execa('which', [commands[0]!.split(' ')[0]!], { reject: false });
    if (missing.failed) {
      t.log(`not run: there is no ${language}`);
      return t.pass();
    }
    const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(readme) ?? [];
    const cwd = await emptyFolder(t);
    for (const path of ['node_modules/.bin', dirname(file)])
      await mkdir(join(cwd, path), { recursive: true });
    const docfeed = `#!/bin/sh\nexec node ${program} "$@"\n`;
    await writeFile(join(cwd, 'node_modules/.bin/docfeed'), docfeed, { mode: 0o755 });
    await writeFile(join(cwd, file), `${code}\n`);
    for (const command of commands) {
      const [name = '', ...args] = parseCommandString(command);
      const { failed, all } = await execa({ cwd, all: true, reject: false })(name, args);
      t.false(failed, `${command}\n${all}`);
    }
  });
}
