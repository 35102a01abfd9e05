/** Runs tasks with the same key one after the other, in order. */
export class Series {
  readonly #last = new Map<string, Promise<void>>();

  run<Result>(key: string, task: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(task);
    const isSettled = result.then(
      () => {},
      () => {},
    );
    this.#last.set(key, isSettled);
    void isSettled.then(() => {
      if (this.#last.get(key) === isSettled) this.#last.delete(key);
    });
    return result;
  }
}
