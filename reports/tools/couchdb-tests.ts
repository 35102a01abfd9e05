/** The outcome of CouchDB's own tests, which are not part of this project: `couchdb-tests.json` in the published results. */
import { renderTable } from '../render/markdown.js';

export interface CouchdbTests {
  /** Of this project. */
  readonly commit: string;
  readonly suites: readonly {
    readonly name: SuiteName;
    /** If the suite was run with another commit of this project. */
    readonly commit?: string;
    /** Number of tests that were run against both servers. */
    readonly tests: number;
    /** Number of tests that passed, for each server. */
    readonly couchdb: number;
    readonly reference: number;
  }[];
  /** What the tests are about that pass against CouchDB only, and their number in each suite. */
  readonly onlyCouchdb: readonly ({ readonly about: string } & Partial<Record<SuiteName, number>>)[];
}

type SuiteName = 'elixir' | 'eunit' | 'mango';

export const renderCouchdbTests = ({ commit, suites, onlyCouchdb }: CouchdbTests): string =>
  [
    '## CouchDB’s own tests',
    `How many of the tests in the sources of CouchDB 3.5.0 pass, unchanged, against CouchDB and against the reference server. The
tests of features that the reference server answers with 501 fail there; all other tests that pass against CouchDB only are about
the [differences](../../reference/DIFFERENCES.md). The files about nothing but such features, as partitions, search and views,
were not run.

- Elixir and EUnit: the reference server has \`--data\`, because some tests read the name of the folder first.
- Elixir: tokens in the tests have expired, so the clock of both servers was set back.
- EUnit: 29 files of \`chttpd\` and \`couch\`, with \`couchdb/default_security\` as in the settings of these tests. Modules that
  speak HTTP take the place of the inside of CouchDB, so tests that look there fail on both servers.
- Mango: each \`_find\` is sent as a feed with \`filter=_selector\`. The program that sends it sorts and cuts the result, and
  skips tests of indexes and \`_explain\`, but not those of text search. Tests of errors that only \`_find\` has fail on both
  servers.`,
    renderTable(
      ['suite', 'commit', 'tests', 'CouchDB', 'reference server'],
      suites.map(({ name, tests, couchdb, reference, ...suite }) => [
        name,
        suite.commit ?? commit,
        String(tests),
        String(couchdb),
        String(reference),
      ]),
    ),
    'The tests that pass against CouchDB only, by what they are about. A few others pass against the reference server only.',
    renderTable(
      ['about', ...suites.map(({ name }) => name)],
      onlyCouchdb.map((row) => [row.about, ...suites.map(({ name }) => String(row[name] ?? ''))]),
    ),
  ].join('\n\n');
