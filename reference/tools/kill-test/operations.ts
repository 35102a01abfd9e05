/** Random operations of the clients in the kill test. */
import fc from 'fast-check';

export interface Edit {
  doc: string;
  /** Index of the leaf to edit, modulo the number of leaves. */
  leaf: number;
  value: number;
  deleted: boolean;
  /** Content in Base64. */
  attachment: string | null;
}

export type Operation = { shared: boolean } & (
  | { kind: 'edit'; edits: Edit[] }
  | { kind: 'replicate'; edit: Edit; back: number }
  | { kind: 'attach'; edit: Edit; content: string }
  | { kind: 'local'; name: string; value: number | null }
  | { kind: 'security'; value: number }
  | { kind: 'database' }
);

/** Validation function of the shared database. */
export const validation = `function (doc) {
  if (doc.value % 5 === 0) throw { forbidden: 'The value must not be a multiple of five.' };
}`;

/** Whether `validation` rejects a document with this value. */
export const isRejected = (value: number): boolean => value % 5 === 0;

export const documentNames = ['a', 'b', 'c', 'd', 'e', 'f'];
export const localNames = ['x', 'y'];

const base64 = fc
  .tuple(fc.constantFrom(0, 10, 300, 70_000), fc.nat(20))
  .map(([length, byte]) => Buffer.alloc(length, byte).toString('base64'));
const edit: fc.Arbitrary<Edit> = fc.record({
  doc: fc.constantFrom(...documentNames),
  leaf: fc.nat(),
  value: fc.nat(),
  deleted: fc.nat(4).map((one) => one === 0),
  attachment: fc.option(base64),
});
const edits = fc.uniqueArray(edit, { minLength: 1, maxLength: 4, selector: ({ doc }) => doc });
const kind = <Name extends string>(name: Name) => fc.constant(name);
const never = fc.constant(false);

export const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 9, arbitrary: fc.record({ shared: fc.boolean(), kind: kind('edit'), edits }) },
  {
    weight: 3,
    arbitrary: fc.record({ shared: fc.boolean(), kind: kind('replicate'), edit, back: fc.nat(3) }),
  },
  { weight: 2, arbitrary: fc.record({ shared: fc.boolean(), kind: kind('attach'), edit, content: base64 }) },
  {
    weight: 3,
    arbitrary: fc.record({
      shared: fc.boolean(),
      kind: kind('local'),
      name: fc.constantFrom(...localNames),
      value: fc.option(fc.nat()),
    }),
  },
  { weight: 1, arbitrary: fc.record({ shared: never, kind: kind('security'), value: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ shared: never, kind: kind('database') }) },
);
