import test from 'ava';
import { dialects, type DialectNames } from '../../openapi/generated/dialects.js';
import { Configuration } from './configuration.js';
import { listSettings } from './settings-list.js';

interface Entry {
  readonly setting: string;
  readonly default?: string;
  readonly meaning: string;
}

const { service, couchdb } = dialects;
const entriesOf = (dialect: DialectNames) => JSON.parse(listSettings(dialect, true)) as Entry[];

for (const dialect of [service, couchdb]) {
  test(`the listed defaults are those of a server with ${dialect.userIdPrefix}`, (t) => {
    const configuration = new Configuration(dialect);
    const places = Object.entries(configuration.all()).flatMap(([section, values]) =>
      Object.keys(values).map((key) => `${section}/${key}`),
    );
    const entries = entriesOf(dialect);
    const withDefault = entries.filter(({ default: initial }) => initial !== undefined);
    t.deepEqual(withDefault.map(({ setting }) => setting).toSorted(), places.toSorted());
    for (const { setting, default: initial, meaning } of entries) {
      const value = configuration.get(...(setting.split('/') as [string, string]));
      if (setting === 'chttpd_auth/secret') t.is(initial, '(random)');
      else t.is(initial, value, setting);
      t.regex(meaning, /^[A-Z`].*\.$/, setting);
    }
  });
}

test('each setting has two lines, and sections with keys of the user are listed too', (t) => {
  const text = listSettings(couchdb, false);
  for (const lines of [
    'chttpd/changes_timeout = 60000\n  Default and maximum of the feed parameter `timeout`, in milliseconds (SERVICE 2.8, 8).\n',
    'jwt_auth/roles_claim_name = _couchdb.roles\n  Name of the claim with the roles (SERVICE 5.4 rule 5).\n',
    'cors/origins (no default)\n  Allowed origins; `*` allows all.\n',
    'jwt_keys/<alg_type>:<kid> (no default)\n  Key that verifies JSON Web Tokens (SERVICE 5.4).\n',
  ])
    t.true(text.includes(lines), lines);
  t.is(text.split('\n').length, entriesOf(couchdb).length * 2 + 1);
});
