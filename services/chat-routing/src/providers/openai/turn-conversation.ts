import { type HttpPools } from '../http-pools.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { createUpstreamConversation, deleteUpstreamConversation, isLastItem, requireUpstreamConversation } from './conversations.ts';
import { parseState, type UpstreamState } from './state.ts';

/** The upstream conversation of a turn: the known one, or one that is created for the turn. */
export class TurnConversation {
  /** State of the conversation before the turn; undefined when the upstream has none. */
  readonly knownState: UpstreamState | undefined;
  readonly #pools: HttpPools;
  readonly #account: UpstreamConnection;
  #conversation: string;
  #isFresh = false;

  /** @throws CONVERSATION_CONTINUITY_LOST for a state of another adapter */
  constructor(pools: HttpPools, connection: UpstreamConnection, upstreamState: string) {
    this.#pools = pools;
    this.#account = connection;
    this.knownState = parseState(upstreamState);
    this.#conversation = this.knownState?.conversation ?? '';
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
  async isUnchanged(): Promise<boolean> {
    if (!this.knownState) return false;
    const { conversation, last } = this.knownState;
    if (last !== undefined) return isLastItem(this.#pools, this.#account, conversation, last);
    await requireUpstreamConversation(this.#pools, this.#account, conversation);
    return false;
  }

  /** Creates a conversation for the turn, in place of a known one with unknown content. */
  async create(): Promise<void> {
    this.#conversation = await createUpstreamConversation(this.#pools, this.#account);
    this.#isFresh = true;
  }

  /** State to record once the upstream has begun an answer that is not (yet) complete: without `last`. */
  getIncompleteState(): UpstreamState {
    return { conversation: this.#conversation, ...(this.#isFresh && this.knownState && { replaced: this.knownState.conversation }) };
  }

  /**
   * State to record when no answer began. When the request was sent, the content of a known conversation is unknown; a fresh one is
   * ignored.
   */
  getUnansweredState(isAsked: boolean): UpstreamState | undefined {
    return this.knownState && isAsked && !this.#isFresh ? { ...this.knownState, last: undefined } : this.knownState;
  }

  /** Deletes the conversation that the known one replaced, in the background. */
  deleteReplaced(): void {
    if (this.knownState?.replaced !== undefined) this.#forget(this.knownState.replaced);
  }

  /** Deletes the conversation that was created for this turn, in the background, when it is not used. */
  deleteUnused(): void {
    if (this.#isFresh) this.#forget(this.#conversation);
  }

  #forget(conversation: string): void {
    // A leftover conversation does no harm.
    deleteUpstreamConversation(this.#pools, this.#account, conversation).catch(() => undefined);
  }
}
