import test from 'ava';
import { passwordRequirements } from './password-requirements.js';

test('a list has texts, and texts with a reason', (t) => {
  t.deepEqual(
    passwordRequirements(String.raw`[{".{10,}"}, {"[A-Z]", "A \"capital\"."}, {"[a-z]", ""}, "\\d"]`),
    [
      { pattern: /.{10,}/, reason: '' },
      { pattern: /[A-Z]/, reason: 'A "capital".' },
      { pattern: /[a-z]/, reason: '' },
      { pattern: /\d/, reason: '' },
    ],
  );
  for (const none of ['', '[]', ' [ ] ']) t.deepEqual(passwordRequirements(none), []);
});

for (const value of ['x', '"a"', '["a"', '["a" "b"]', '[{"a", b}]', '[{"a", "b", "c"}]', '["("]', '["a",]'])
  test(`${value} is malformed`, (t) => {
    t.is(passwordRequirements(value), undefined);
  });
