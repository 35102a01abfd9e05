/** What a run has to put back or remove on its target, each in the form in which the journal keeps it. */
export type CleanupTask =
  | { kind: 'database'; name: string }
  /** `name` is the id of the user's document. */
  | { kind: 'user'; name: string }
  /** `name` is `section/key`; `before` is its value until then, `null` when it had none. */
  | { kind: 'setting'; node: number; name: string; before: string | null }
  /** The lock that keeps other runs from changing settings, as long as `run` holds it. */
  | { kind: 'lock'; run: string };

/** What a run makes on a target has such a name: nothing else is ever removed. */
export const namePrefix = 'docfeed-';

/** A debt for people, without the values of settings, which may be secrets. */
export function describeTask(debt: CleanupTask): string {
  switch (debt.kind) {
    case 'database':
    case 'user':
      return `${debt.kind} ${debt.name}`;
    case 'setting':
      return `setting ${debt.name}${debt.node === 0 ? '' : ` of node ${debt.node + 1}`}`;
    case 'lock':
      return 'lock';
  }
}
