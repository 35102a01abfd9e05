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

/** A task for people, without the values of settings, which may be secrets. */
export function describeTask(task: CleanupTask): string {
  switch (task.kind) {
    case 'database':
    case 'user':
      return `${task.kind} ${task.name}`;
    case 'setting':
      return `setting ${task.name}${task.node === 0 ? '' : ` of node ${task.node + 1}`}`;
    case 'lock':
      return 'lock';
  }
}
