/** Base class of the members of a `LinkedSet`. An object is a member of one set at a time. */
export class LinkedSetMember {
  /** @internal the neighbours in the set */
  declare before: LinkedSetMember | undefined;
  declare after: LinkedSetMember | undefined;

  // Assigned and not defined as fields: for a class with many kinds of members V8 looks up the definition of a field anew each time.
  constructor() {
    this.before = undefined;
    this.after = undefined;
  }
}

/**
 * A set for members that are added and removed with every request. A `Set` leaves a chain of outgrown hash tables behind, and once one of
 * them is in the old generation the garbage collector keeps all later ones, with everything their members reference, until the next full
 * collection.
 */
export class LinkedSet<Member extends LinkedSetMember> implements Iterable<Member> {
  readonly #head = new LinkedSetMember();
  #last: LinkedSetMember = this.#head;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The member that was added first; undefined in an empty set. */
  get first(): Member | undefined {
    return this.#head.after as Member | undefined;
  }

  /** Appends a member that is in no set yet. */
  add(member: Member): void {
    member.before = this.#last;
    this.#last.after = member;
    this.#last = member;
    this.#size++;
  }

  /** Removes a member; false when it is in no set. */
  delete(member: Member): boolean {
    const { before, after } = member;
    if (!before) return false;
    before.after = after;
    if (after) after.before = before;
    else this.#last = before;
    member.before = undefined;
    member.after = undefined;
    this.#size--;
    return true;
  }

  /** Iterates over a copy in insertion order, so that members may be removed during the iteration. */
  [Symbol.iterator](): Iterator<Member> {
    const members: Member[] = [];
    for (let at = this.#head.after; at; at = at.after) members.push(at as Member);
    return members.values();
  }
}
