import { type Pools } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { beginConversation, deleteConversation, endsWith, requireConversation } from './conversations.ts';
import { readState, type UpstreamState } from './state.ts';

/** The upstream conversation of a turn: the known one, or one that is created for the turn. */
export class TurnConversation {
  /** Where the conversation stood before the turn. */
  readonly known: UpstreamState | undefined;
  readonly #pools: Pools;
  readonly #account: UpstreamConnection;
  #conversation: string;
  #isFresh = false;

  /** @throws CONVERSATION_CONTINUITY_LOST for a state of another adapter */
  constructor(pools: Pools, connection: UpstreamConnection, upstreamState: string) {
    this.#pools = pools;
    this.#account = connection;
    this.known = readState(upstreamState);
    this.#conversation = this.known?.conversation ?? '';
  }

  /** The conversation that the turn is put to. */
  get conversation(): string {
    return this.#conversation;
  }

  /** Checks that the known conversation ends as the last turn left it; of one with unknown content, only that it is there. @throws where it is gone */
  async isAsKnown(): Promise<boolean> {
    if (!this.known) return false;
    const { conversation, last } = this.known;
    if (last !== undefined) return endsWith(this.#pools, this.#account, conversation, last);
    await requireConversation(this.#pools, this.#account, conversation);
    return false;
  }

  /** Creates a conversation, in place of one with unknown content. */
  async begin(): Promise<void> {
    this.#conversation = await beginConversation(this.#pools, this.#account);
    this.#isFresh = true;
  }

  /** Where the conversation goes on now that the upstream has begun an answer in it. */
  here(): UpstreamState {
    return { conversation: this.#conversation, ...(this.#isFresh && this.known && { replaced: this.known.conversation }) };
  }

  /** Where it goes on when the upstream has begun no answer, though it may have been asked: one that was begun for nothing is none. */
  unanswered(isAsked: boolean): UpstreamState | undefined {
    return this.known && isAsked && !this.#isFresh ? { ...this.known, last: undefined } : this.known;
  }

  /** Deletes the conversation that was replaced by the known one. */
  forgetReplaced(): void {
    if (this.known?.replaced !== undefined) this.#forget(this.known.replaced);
  }

  /** Lets go of a conversation that was begun for nothing. */
  forgetFresh(): void {
    if (this.#isFresh) this.#forget(this.#conversation);
  }

  #forget(conversation: string): void {
    // One that stays behind does no harm.
    deleteConversation(this.#pools, this.#account, conversation).catch(() => undefined);
  }
}
