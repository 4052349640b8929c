/** A queue per owner, served round-robin, so that many items of one owner delay another owner by one item. */
export class FairQueue<T> {
  readonly #lines = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number of waiting items of an owner. */
  sizeOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  push(owner: string, item: T): void {
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    this.#size++;
  }

  /** Removes and returns the next item, or undefined; its owner moves to the end of the round. */
  shift(): T | undefined {
    const [next] = this.#lines;
    if (!next) return undefined;
    const [owner, line] = next;
    const item = line.shift();
    this.#lines.delete(owner);
    if (line.length > 0) this.#lines.set(owner, line);
    this.#size--;
    return item;
  }
}
