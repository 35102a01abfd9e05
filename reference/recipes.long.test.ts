/** The recipes of README.md for tests in other languages work, where the language is there. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import test from 'ava';
import { execa, parseCommandString } from 'execa';
import { emptyFolder } from '../reports/testing/folder.js';
import { program } from '../reports/testing/program.js';

const readme = await readFile(new URL('README.md', import.meta.url), 'utf8');

const junit = 'junit-platform-console-standalone';

interface Recipe {
  /** Where its code goes. */
  readonly file: string;
  /** Make the folder ready, and install what the recipe needs: without the language or its registry, nothing is run. */
  readonly preparing: readonly string[];
  readonly testing: readonly string[];
}

/** By the language of the code. */
const recipes: Readonly<Record<string, Recipe>> = {
  python: {
    file: 'test_couch.py',
    preparing: ['python3 -m venv venv', 'venv/bin/python -m pip install --quiet pytest==8.4.2'],
    testing: ['venv/bin/python -m pytest test_couch.py'],
  },
  go: { file: 'couch_test.go', preparing: ['go mod init app'], testing: ['go test .'] },
  java: {
    file: 'CouchTest.java',
    preparing: [
      `mvn --quiet dependency:copy -Dartifact=org.junit.platform:${junit}:1.11.4 -DoutputDirectory=. -Dmdep.stripVersion`,
    ],
    testing: [
      `javac -cp ${junit}.jar CouchTest.java`,
      `java -jar ${junit}.jar execute -cp . --select-class CouchTest`,
    ],
  },
  rust: {
    file: 'tests/couch.rs',
    preparing: ['cargo init --quiet --lib --name app'],
    testing: ['cargo test --test couch'],
  },
};

for (const [language, { file, preparing, testing }] of Object.entries(recipes)) {
  test(`the recipe in ${language} works`, async (t) => {
    const [, code] = new RegExp(`\`\`\`${language}\n([^]*?)\n\`\`\``).exec(readme) ?? [];
    const cwd = await emptyFolder(t);
    const run = (command: string) => {
      const [name = '', ...args] = parseCommandString(command);
      return execa({ cwd, all: true, reject: false })(name, args);
    };
    for (const command of preparing) {
      const { failed, all } = await run(command);
      if (!failed) continue;
      t.log(`not run: ${command}\n${all}`);
      return t.pass();
    }
    for (const path of ['node_modules/.bin', dirname(file)])
      await mkdir(join(cwd, path), { recursive: true });
    const docfeed = `#!/bin/sh\nexec node ${program} "$@"\n`;
    await writeFile(join(cwd, 'node_modules/.bin/docfeed'), docfeed, { mode: 0o755 });
    await writeFile(join(cwd, file), `${code}\n`);
    for (const command of testing) {
      const { failed, all } = await run(command);
      t.false(failed, `${command}\n${all}`);
    }
  });
}
