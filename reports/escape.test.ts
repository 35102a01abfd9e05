import test from 'ava';
import { escapeInvisible, printableJson } from './escape.js';

test('escapes invisible characters', (t) => {
  t.is(escapeInvisible('a\u001b[31m\u009b2J\u007f'), 'a\\u{1b}[31m\\u{9b}2J\\u{7f}');
  t.is(
    escapeInvisible('\u202eabc\u2066\u200b\u2028\ufeff'),
    '\\u{202e}abc\\u{2066}\\u{200b}\\u{2028}\\u{feff}',
  );
  t.is(escapeInvisible('\ud800 \ud83d\ude00'), '\\u{d800} \u{1f600}');
  t.is(escapeInvisible('Grüße, 世界\r\n\t'), 'Grüße, 世界\\r\\n\\t');
  t.is(escapeInvisible('a\r\nb', '\n'), 'a\\r\nb');
});

const commands = {
  '##[add-mask]secret': '#\\u{23}[add-mask]secret',
  'a ##vso[task.setvariable variable=x]y': 'a #\\u{23}vso[task.setvariable variable=x]y',
  "##teamcity[buildStatus status='SUCCESS']": "#\\u{23}teamcity[buildStatus status='SUCCESS']",
  '###[error]': '##\\u{23}[error]',
  '::add-mask::secret': '\\u{3a}:add-mask::secret',
  ' \n\t ::error::x': ' \\n\\t ::error::x',
  '## [x], ##x, #[x] and a::b': '## [x], ##x, #[x] and a::b',
};

test('escapes what CI systems take for a command', (t) => {
  for (const [text, escaped] of Object.entries(commands)) t.is(escapeInvisible(text), escaped);
  t.is(escapeInvisible('a\n  ::stop-commands::x', '\n'), 'a\n  \\u{3a}:stop-commands::x');
});

test('printable JSON has the same value and nothing that is escaped elsewhere', (t) => {
  const value = {
    text: '\u009b2J\u202e\u2028 \ud800 \u{f0000} ##[add-mask]',
    'a##vso[b]': ['::error::', 'é\n'],
  };
  for (const indent of [undefined, 2]) {
    const json = printableJson(value, indent);
    t.deepEqual(JSON.parse(json), value);
    t.is(escapeInvisible(json, '\n'), json);
  }
});
