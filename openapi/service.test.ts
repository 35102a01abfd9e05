import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { readUnchecked, sectionOf } from '../generators/rules.js';
import { feedAdditions } from './generated/feed-parameters.js';
import { rules } from './generated/rules.js';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const service = read('service.md');
const anchors = [...service.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!);

/** Anchor in service.md of a section as rules cite it: "5.4 key rule 1" is at "section-5-4-key-rule-1". */
const anchorOf = (section: string) => `section-${section.replaceAll(/[. ]/g, '-')}`;

test('the section of every statement has an anchor', async (t) => {
  const unchecked = await readUnchecked(fileURLToPath(new URL('rules', import.meta.url)));
  const statements = [...rules.flatMap((rule) => rule.statements), ...unchecked.map(({ id }) => id)];
  const sections = new Set(statements.map(sectionOf));
  t.deepEqual(
    [...sections].filter((section) => !anchors.includes(anchorOf(section))),
    [],
  );
});

test('every numbered heading has its own anchor directly before it', (t) => {
  const headings = [...service.matchAll(/^(.*)\n\n#{2,3} (\d(?:\.\d)?)\.? /gm)];
  t.true(headings.length > 9);
  for (const [, anchor, section] of headings) t.is(anchor, `<a id="${anchorOf(section!)}"></a>`);
});

test('anchors are unique and links within the document lead to one', (t) => {
  t.deepEqual(anchors, [...new Set(anchors)]);
  const links = [...service.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id!);
  t.deepEqual(
    links.filter((id) => !anchors.includes(id)),
    [],
  );
});

test('the marks of later versions name every version of SERVICE 9, and no other', (t) => {
  const [, history] = service.split('## 9. Versioning');
  const versions = [...history!.matchAll(/^\| (\d[\d.]*) /gm)].map(([, version]) => version!);
  t.true(versions.length > 5);
  const marked = new Set([...feedAdditions, ...rules].flatMap(({ since = [] }) => since));
  t.deepEqual([...marked].sort(), versions.sort());
});

test('each addition to the feed is in the row of its version in SERVICE 9', (t) => {
  for (const { name, value, since } of feedAdditions) {
    // The query parameter is an alias of the header.
    const shown = name === 'last-event-id' ? 'Last-Event-ID' : (value ?? name);
    const row = service.split('\n').find((line) => line.startsWith(`| ${since} `));
    t.true(row?.includes(shown), `${shown} in ${row}`);
  }
});
