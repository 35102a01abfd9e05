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

  /**
   * Removes and returns the next task.
   *
   * @param canRun whether a task may be next. If not, the other tasks of its account wait, too.
   */
  shift(canRun: (task: T) => boolean = () => true): T | undefined {
    for (const [account, tasks] of this.#accounts) {
      const [task] = tasks;
      if (task === undefined || !canRun(task)) continue;
      this.delete(account, task);
      // The account moves to the end.
      if (this.#accounts.delete(account)) this.#accounts.set(account, tasks);
      return task;
    }
    return undefined;
  }
}
