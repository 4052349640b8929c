/** A map for entries that are added and removed with every request, backed by a plain object; see `LinkedSet` for why it is not a `Map`. */
export class ObjectMap<Value> {
  // Without a prototype, so that no key collides with an inherited property.
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

  /** True when the key was present. */
  delete(key: string | number): boolean {
    if (this.#entries[key] === undefined) return false;
    delete this.#entries[key];
    this.#size--;
    return true;
  }

  /** Returns a copy of the current values. */
  values(): Value[] {
    return Object.values(this.#entries);
  }
}
