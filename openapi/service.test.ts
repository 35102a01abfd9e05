import { readFileSync } from 'node:fs';
import test from 'ava';
import { parse } from 'yaml';
import { rules } from './generated/rules.js';

const read = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');
const service = read('service.md');
const anchors = [...service.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!);

/** Anchor in service.md of a section as rules cite it: "5.4 key rule 1" is at "section-5-4-key-rule-1". */
const anchorOf = (section: string) => `section-${section.replaceAll(/[. ]/g, '-')}`;

test('every section that a rule cites has an anchor', (t) => {
  const cited = new Set(Object.values(rules).flatMap(({ source }) => source));
  t.true(cited.size > 0);
  t.deepEqual(
    [...cited].filter((section) => !anchors.includes(anchorOf(section))),
    [],
  );
});

test('every section of the traceability list has an anchor', (t) => {
  const statements = parse(read('rules/traceability.yaml')) as { section: string }[];
  const missing = statements.filter(({ section }) => !anchors.includes(anchorOf(section)));
  t.deepEqual(missing, []);
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
