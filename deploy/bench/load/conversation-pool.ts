/** Conversations that are free to go on: what is taken is in use until it is given back. The oldest is used first. */
export class ConversationPool {
  readonly #free: string[] = [];
  readonly #most: number;

  /** Beyond `most` free ones, the one that comes back is forgotten. */
  constructor(most: number) {
    this.#most = most;
  }

  take(): string | undefined {
    return this.#free.shift();
  }

  give(conversation: string): void {
    if (this.#free.length < this.#most) this.#free.push(conversation);
  }
}
