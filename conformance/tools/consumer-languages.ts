/** How to build and start the real consumers in `conformance/consumer/real/`, by the ending of their program. */
import { copyFile, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { execa } from 'execa';
import { npmInstall } from './npm-install.js';

/** One that a registry has. The name of one of Maven is `<group>:<artifact>`. */
export interface Package {
  readonly name: string;
  readonly version: string;
}

interface Language {
  /** Without this program, no consumer of the language can be run. */
  readonly tool: string;
  /**
   * Installs packages into a new folder, and builds the program there.
   *
   * @returns the command that starts the program
   * @throws Error if the packages cannot be had or do not fit the program
   */
  readonly prepare: (
    program: string,
    packages: readonly Package[],
    folder: string,
  ) => Promise<readonly string[]>;
}

/** What the programs of a language share. */
const stateOf = (program: string): string => join(dirname(program), `state${extname(program)}`);

const specifiers = (packages: readonly Package[], separator: string): string[] =>
  packages.map(({ name, version }) => name + separator + version);

/** Only a project tells Maven which packages to get, with those that they need. */
function mavenProject(packages: readonly Package[]): string {
  const dependencies = packages.map(({ name, version }) => {
    const [group, artifact] = name.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
  });
  return `<project>
  <modelVersion>4.0.0</modelVersion>
  <groupId>docfeed</groupId><artifactId>consumer</artifactId><version>1</version>
  <dependencies>${dependencies.join('')}</dependencies>
</project>`;
}

export const languages: Readonly<Record<string, Language>> = {
  '.js': {
    tool: 'node',
    async prepare(program, packages, folder) {
      if (packages.length > 0) await execa('npm', npmInstall(folder, specifiers(packages, '@')));
      return ['env', `NODE_PATH=${join(folder, 'node_modules')}`, process.execPath, program];
    },
  },
  '.py': {
    tool: 'python3',
    async prepare(program, packages, folder) {
      await execa('python3', ['-m', 'venv', folder]);
      await execa(join(folder, 'bin/pip'), ['install', ...specifiers(packages, '==')]);
      // It would keep compiled code beside the program.
      return [join(folder, 'bin/python'), '-B', program];
    },
  },
  '.go': {
    tool: 'go',
    async prepare(program, packages, folder) {
      const executable = join(folder, 'consumer');
      const go = (...args: string[]) => execa('go', args, { cwd: folder });
      await go('mod', 'init', 'consumer');
      await go('get', ...specifiers(packages, '@v'));
      await go('build', '-mod=mod', '-o', executable, program, stateOf(program));
      return [executable];
    },
  },
  '.java': {
    tool: 'mvn',
    async prepare(program, packages, folder) {
      const libraries = join(folder, 'libraries');
      const shared = { name: 'com.google.code.gson:gson', version: '2.8.9' };
      await writeFile(join(folder, 'pom.xml'), mavenProject([...packages, shared]));
      const copy = ['dependency:copy-dependencies', `-DoutputDirectory=${libraries}`];
      await execa('mvn', ['--batch-mode', ...copy], { cwd: folder });
      await execa('javac', ['-cp', join(libraries, '*'), '-d', folder, program, stateOf(program)]);
      return ['java', '-cp', `${folder}:${join(libraries, '*')}`, basename(program, '.java')];
    },
  },
  '.rs': {
    tool: 'cargo',
    async prepare(program, packages, folder) {
      const cargo = (...args: string[]) => execa('cargo', args, { cwd: folder });
      await cargo('init', '--name', 'consumer', '--vcs', 'none');
      await cargo('add', ...specifiers(packages, '@='), 'futures-util@0.3', 'serde_json@1');
      await cargo('add', 'tokio@1', '--features', 'macros,rt,time');
      await copyFile(program, join(folder, 'src/main.rs'));
      await copyFile(stateOf(program), join(folder, 'src/state.rs'));
      await cargo('build');
      return [join(folder, 'target/debug/consumer')];
    },
  },
};
