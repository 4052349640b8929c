import { type Pools } from '../pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { beginConversation, deleteConversation, isLastItem, requireConversation } from './conversations.ts';
import { readState, type UpstreamState } from './state.ts';

/** The upstream conversation of a turn: the known one, or one that is created for the turn. */
export class TurnConversation {
  /** State of the conversation before the turn; undefined when the upstream has none. */
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

  /** Id of the upstream conversation that the turn is sent to. */
  get conversation(): string {
    return this.#conversation;
  }

  /**
   * Whether the known conversation still ends as the last turn left it. For one with unknown content, checks only that it exists, and
   * returns false.
   *
   * @throws CONVERSATION_DELETED_UPSTREAM or another coded error.
   */
  async isAsKnown(): Promise<boolean> {
    if (!this.known) return false;
    const { conversation, last } = this.known;
    if (last !== undefined) return isLastItem(this.#pools, this.#account, conversation, last);
    await requireConversation(this.#pools, this.#account, conversation);
    return false;
  }

  /** Creates a conversation for the turn, in place of a known one with unknown content. */
  async begin(): Promise<void> {
    this.#conversation = await beginConversation(this.#pools, this.#account);
    this.#isFresh = true;
  }

  /** State to record once the upstream has begun an answer that is not (yet) complete: without `last`. */
  here(): UpstreamState {
    return { conversation: this.#conversation, ...(this.#isFresh && this.known && { replaced: this.known.conversation }) };
  }

  /**
   * State to record when no answer began. When the request was sent, the content of a known conversation is unknown; a fresh one is
   * ignored.
   */
  unanswered(isAsked: boolean): UpstreamState | undefined {
    return this.known && isAsked && !this.#isFresh ? { ...this.known, last: undefined } : this.known;
  }

  /** Deletes the conversation that the known one replaced, in the background. */
  forgetReplaced(): void {
    if (this.known?.replaced !== undefined) this.#forget(this.known.replaced);
  }

  /** Deletes the conversation that was created for this turn, in the background, when it is not used. */
  forgetFresh(): void {
    if (this.#isFresh) this.#forget(this.#conversation);
  }

  #forget(conversation: string): void {
    // A leftover conversation does no harm.
    deleteConversation(this.#pools, this.#account, conversation).catch(() => undefined);
  }
}
