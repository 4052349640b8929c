/** A map for entries that come and go with every request; see `LinkedSet` for why it is no `Map`. */
export class KeyTable<Value> {
  // A dictionary without a prototype: no key can mean anything else, and an outgrown table is left to itself.
  readonly #entries: Record<string | number, Value> = Object.create(null) as Record<string | number, Value>;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(key: string | number): Value | undefined {
    return this.#entries[key];
  }

  set(key: string | number, value: Value): void {
    if (this.#entries[key] === undefined) this.#size++;
    this.#entries[key] = value;
  }

  /** True when there was one. */
  delete(key: string | number): boolean {
    if (this.#entries[key] === undefined) return false;
    delete this.#entries[key];
    this.#size--;
    return true;
  }

  /** The values as they are now. */
  values(): Value[] {
    return Object.values(this.#entries);
  }
}
