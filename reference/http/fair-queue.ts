/** A queue that serves accounts in turn, so that one with many tasks does not delay the others. */
export class FairQueue<T> {
  /** Waiting tasks. The first account is the next one. */
  readonly #accounts = new Map<string, Set<T>>();

  add(account: string, task: T): void {
    const tasks = this.#accounts.get(account);
    if (tasks) tasks.add(task);
    else this.#accounts.set(account, new Set([task]));
  }

  /** Does nothing if the task is not in the queue. */
  delete(account: string, task: T): void {
    const tasks = this.#accounts.get(account);
    if (tasks?.delete(task) && tasks.size === 0) this.#accounts.delete(account);
  }

  /** Removes and returns the next task. */
  shift(): T | undefined {
    for (const [account, tasks] of this.#accounts) {
      this.#accounts.delete(account);
      for (const task of tasks) {
        tasks.delete(task);
        if (tasks.size > 0) this.#accounts.set(account, tasks);
        return task;
      }
    }
    return undefined;
  }
}
