/** A queue for each owner, served round-robin, so that many items of one owner delay another owner by one item. */
export class FairQueue<T> {
  readonly #lines = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** How many of an owner wait. */
  sizeOf(owner: string): number {
    return this.#lines.get(owner)?.length ?? 0;
  }

  push(owner: string, item: T): void {
    const line = this.#lines.get(owner);
    if (line) line.push(item);
    else this.#lines.set(owner, [item]);
    this.#size++;
  }

  /** The next one; its owner goes to the end of the round. */
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
