/** What a `LinkedSet` holds extends this. It is a member of one set at a time. */
export class Linked {
  /** @internal the neighbours in the set */
  before: Linked | undefined = undefined;
  after: Linked | undefined = undefined;
}

/**
 * A set for members that come and go with every request. A `Set` leaves a chain of outgrown tables behind, and once one of them
 * is old the garbage collector keeps all that come after it, with everything their members held, until the next full collection.
 */
export class LinkedSet<Member extends Linked> implements Iterable<Member> {
  readonly #head = new Linked();
  #last: Linked = this.#head;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The member that came first of those that are here; undefined in an empty set. */
  get first(): Member | undefined {
    return this.#head.after as Member | undefined;
  }

  /** Puts a member last that is in no set yet. */
  add(member: Member): void {
    member.before = this.#last;
    this.#last.after = member;
    this.#last = member;
    this.#size++;
  }

  /** Takes a member out; false when it is in no set. */
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

  /** The members in the order they came, as they are now: they may leave meanwhile. */
  [Symbol.iterator](): Iterator<Member> {
    const members: Member[] = [];
    for (let at = this.#head.after; at; at = at.after) members.push(at as Member);
    return members.values();
  }
}
