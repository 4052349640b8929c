import { type MessagePosition, omitReplacedAnswers } from './replaced-answers.ts';

/** A stored message of the conversation. */
export interface LocalMessage extends MessagePosition {
  id: string;
  /** Null for imported messages and those that were added upstream. */
  turnId: string | null;
  /** Null until a merge has set it. */
  upstreamId: string | null;
  content: string;
  model: string | null;
  /** An earlier merge found that the upstream no longer has it. */
  removed: boolean;
}

/** A stored turn of the conversation. */
export interface LocalTurn {
  id: string;
  sequence: number;
  /** Number of request messages; 0 for a turn that repeats the one before it. */
  messageCount: number;
  /** Null while it runs. */
  status: string | null;
}

/** A message of the upstream, identified by its upstream id. */
export interface UpstreamMessage {
  upstreamId: string;
  role: string;
  text: string;
  model: string;
  createdAt: Date | undefined;
  /** Empty for messages that were added at the upstream. */
  clientTurnId: string;
}

/** Matches messages of the upstream with stored messages, each at most once. */
export class MessageMatcher {
  readonly #byUpstreamId: Map<string, LocalMessage>;
  /** Messages of a turn and of the turns that repeat it, by the id of the first turn and the role. */
  readonly #ofTurn = new Map<string, LocalMessage[]>();
  readonly #groups: Map<string, LocalTurn[]>;
  readonly #matched = new Set<LocalMessage>();
  readonly #seen = new Set<string>();

  constructor(local: readonly LocalMessage[], turns: readonly LocalTurn[]) {
    this.#byUpstreamId = new Map(local.flatMap((message) => (message.upstreamId === null ? [] : [[message.upstreamId, message]])));
    this.#groups = groupByTurn(turns);
    for (const message of omitReplacedAnswers(local)) {
      const group = this.#groupOf(message);
      if (!group) continue;
      const key = toKey(group, message.role);
      this.#ofTurn.set(key, [...(this.#ofTurn.get(key) ?? []), message]);
    }
  }

  /**
   * Returns the stored message, undefined for a new one, `running` for the answer of a running turn, and `repeated` for an upstream id that
   * was passed before.
   */
  match({ upstreamId, role, clientTurnId }: UpstreamMessage): LocalMessage | 'running' | 'repeated' | undefined {
    if (this.#seen.has(upstreamId)) return 'repeated';
    this.#seen.add(upstreamId);
    const group = this.#groups.get(clientTurnId);
    const known = this.#byUpstreamId.get(upstreamId);
    const free = group && this.#ofTurn.get(toKey(group, role))?.find((message) => !this.#matched.has(message));
    const found = known && !this.#matched.has(known) ? known : free;
    if (found) this.#matched.add(found);
    else if (group?.some(({ status }) => status === null)) return 'running';
    return found;
  }

  /** True for a stored message that `match` has returned, which the upstream therefore still has. */
  isMatched(message: LocalMessage): boolean {
    return this.#matched.has(message);
  }

  /** True for a message of a completed turn, which the upstream therefore had. False for replaced answers. */
  isOfCompletedTurn(message: LocalMessage): boolean {
    const group = this.#groupOf(message);
    if (!group?.some(({ status }) => status === 'completed')) return false;
    return this.#ofTurn.get(toKey(group, message.role))?.includes(message) ?? false;
  }

  #groupOf({ turnId }: LocalMessage): LocalTurn[] | undefined {
    return turnId === null ? undefined : this.#groups.get(turnId);
  }
}

/** Groups each turn with the turns that repeat it, by the id of each. */
function groupByTurn(turns: readonly LocalTurn[]): Map<string, LocalTurn[]> {
  const groups = new Map<string, LocalTurn[]>();
  let group: LocalTurn[] = [];
  for (const turn of [...turns].sort((a, b) => a.sequence - b.sequence)) {
    if (turn.messageCount > 0 || group.length === 0) group = [];
    group.push(turn);
    groups.set(turn.id, group);
  }
  return groups;
}

function toKey([first]: readonly LocalTurn[], role: string): string {
  return `${first?.id} ${role}`;
}
