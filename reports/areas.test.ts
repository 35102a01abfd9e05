import test from 'ava';
import { rules } from '../openapi/generated/rules.js';
import { areaOf, groupByArea } from './areas.js';

test('every rule of the catalogue has an area', (t) => {
  t.deepEqual(
    rules.filter(({ id }) => areaOf(id) === 'Other').map(({ id }) => id),
    [],
  );
});

test('areas come in the order of the service document, unknown ones last', (t) => {
  t.deepEqual(
    groupByArea(['new-rule', 'jwt-b', 'root-a', 'jwt-a'], (id) => id),
    [
      ['Greeting', ['root-a']],
      ['JWT', ['jwt-b', 'jwt-a']],
      ['Other', ['new-rule']],
    ],
  );
});
