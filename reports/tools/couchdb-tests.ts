/** The outcome of CouchDB's own tests, which are not part of this project: `couchdb-tests.json` in the published results. */
import { renderTable } from '../render/markdown.js';

export interface CouchdbTests {
  /** Of this project. */
  readonly commit: string;
  readonly suites: readonly {
    readonly name: 'elixir' | 'eunit' | 'mango';
    /** Number of tests that were run against both servers. */
    readonly tests: number;
    /** Number of tests that passed, for each server. */
    readonly couchdb: number;
    readonly reference: number;
  }[];
}

export const renderCouchdbTests = ({ commit, suites }: CouchdbTests): string =>
  [
    '## CouchDB’s own tests',
    `How many of the tests in the sources of CouchDB 3.5.0 pass, unchanged, against CouchDB and against the reference server of
\`${commit}\`. The tests of features that the reference server answers with 501 fail there. The files about nothing else, such as
partitions, search and views, were not run. Tokens in the tests have expired, so the clock of both servers was set back.`,
    renderTable(
      ['suite', 'tests', 'CouchDB', 'reference server'],
      suites.map(({ name, tests, couchdb, reference }) => [
        name,
        String(tests),
        String(couchdb),
        String(reference),
      ]),
    ),
  ].join('\n\n');
