import { type LocalMessage, type LocalTurn, MessageMatcher, type UpstreamMessage } from './message-matcher.ts';
import { equalsStoredText } from './storable-text.ts';

/** A message to insert or update. */
export interface MessageUpsert {
  id: string;
  isNew: boolean;
  upstreamId: string | null;
  role: string;
  content: string;
  model: string | null;
  sequence: number;
  position: number;
  /** Creation time of a new message; undefined when the upstream does not report it, and for known messages that only move. */
  createdAt: Date | undefined;
}

/** The changes to apply; both lists are empty when the stored messages and the upstream agree. */
export interface MergePlan {
  changed: MessageUpsert[];
  removedIds: string[];
}

/** Input of a merge. */
export interface MergeInput {
  local: readonly LocalMessage[];
  turns: readonly LocalTurn[];
  /** Oldest first: the whole branch, or with `onlyAdded` the messages added after the last turn. */
  upstream: readonly UpstreamMessage[];
  /** `upstream` is incomplete: a message that it does not contain is not considered removed. */
  onlyAdded?: boolean;
  /** Messages of later turns do not count as removed. */
  lastSequence: number;
  /** Generates the id of a new message. */
  newId: () => string;
}

/**
 * Plans the changes that bring the stored messages in line with the upstream: added messages get a permanent local id, edits are applied,
 * missing messages are removed, and messages follow the order of the upstream as far as the turns allow. Messages that the upstream never
 * had (of failed turns, or imported ones) stay. Idempotent.
 */
export function planMerge(input: MergeInput): MergePlan {
  const { local, turns, upstream, onlyAdded = false } = input;
  const matches = new MessageMatcher(local, turns);
  const order = new MessageOrder(local, turns, onlyAdded);
  const wanted: { found: LocalMessage | undefined; reported: UpstreamMessage; id: string }[] = [];
  let before = onlyAdded ? local.findLast(({ removed }) => !removed)?.id : undefined;
  for (const reported of upstream) {
    const match = matches.match(reported);
    if (match === 'running' || match === 'repeated') continue;
    const id = match?.id ?? input.newId();
    // A message of a turn keeps its position, and so does one that an earlier merge added.
    if (!match || (!match.turnId && !onlyAdded)) order.place(id, before);
    wanted.push({ found: match, reported, id });
    if (!match || !onlyAdded) before = id;
  }
  const places = order.places();
  const changed = wanted.flatMap(({ found, reported, id }) => {
    const place = places.get(id) ?? { sequence: 0, position: 0 };
    const merged = { ...toMerged(found, reported, id), ...place };
    return found && isSame(found, merged) ? [] : [merged];
  });
  const removedIds = findRemovedIds(input, matches);
  const settled = new Set([...wanted.map(({ id }) => id), ...removedIds]);
  // Messages that only change their position.
  const moved = local.flatMap((message): MessageUpsert[] => {
    const place = places.get(message.id);
    if (!place || message.removed || settled.has(message.id)) return [];
    if (place.sequence === message.sequence && place.position === message.position) return [];
    return [{ ...message, ...place, isNew: false, createdAt: undefined }];
  });
  return { changed: [...changed, ...moved], removedIds };
}

function toMerged(found: LocalMessage | undefined, reported: UpstreamMessage, id: string): Omit<MessageUpsert, 'sequence' | 'position'> {
  const isEdited = !found || !equalsStoredText(reported.text, found.content);
  return {
    ...{ id, isNew: !found, upstreamId: reported.upstreamId, role: reported.role, createdAt: reported.createdAt },
    content: isEdited ? reported.text : found.content,
    model: reported.role === 'assistant' ? (found?.model ?? (reported.model || null)) : null,
  };
}

function isSame(found: LocalMessage, merged: MessageUpsert): boolean {
  return (
    !found.removed &&
    found.upstreamId === merged.upstreamId &&
    found.content === merged.content &&
    found.sequence === merged.sequence &&
    found.position === merged.position
  );
}

/** Messages that the upstream had and no longer has: those of an earlier merge, and those of completed turns. */
function findRemovedIds({ local, upstream, lastSequence, onlyAdded }: MergeInput, matches: MessageMatcher): string[] {
  if (onlyAdded) return [];
  const roles = new Set(upstream.map(({ role }) => role));
  return local
    .filter((message) => {
      if (message.removed || matches.isMatched(message)) return false;
      if (message.upstreamId !== null) return true;
      // Some upstreams do not store system messages as messages.
      if (message.role === 'system' && !roles.has('system')) return false;
      return message.sequence <= lastSequence && matches.isOfCompletedTurn(message);
    })
    .map(({ id }) => id);
}

/** Placeholder of the answer of a running turn. */
const UNWRITTEN = '';

/** Positions of messages: those of turns and imports are fixed, the others follow their predecessor at the upstream. */
class MessageOrder {
  readonly #buckets = new Map<number, string[]>();
  readonly #sequenceOf = new Map<string, number>();

  constructor(local: readonly LocalMessage[], turns: readonly LocalTurn[], onlyAdded: boolean) {
    for (const message of local) {
      // A full merge places messages of the upstream again; a removed one keeps no position.
      if (!onlyAdded && message.turnId === null && message.upstreamId !== null) continue;
      this.#bucket(message.sequence).push(message.id);
      this.#sequenceOf.set(message.id, message.sequence);
    }
    // The answer of a running turn will follow its question.
    for (const turn of turns) if (turn.status === null) this.#bucket(turn.sequence).push(UNWRITTEN);
  }

  /**
   * Places a message after the message `before` and after the answer of a turn that is running there; without `before`, after the imported
   * messages.
   */
  place(id: string, before: string | undefined): void {
    const sequence = (before === undefined ? undefined : this.#sequenceOf.get(before)) ?? 0;
    const bucket = this.#bucket(sequence);
    const at = before === undefined ? bucket.length : Math.max(bucket.indexOf(before), bucket.indexOf(UNWRITTEN)) + 1;
    bucket.splice(at, 0, id);
    this.#sequenceOf.set(id, sequence);
  }

  places(): Map<string, { sequence: number; position: number }> {
    const places = new Map<string, { sequence: number; position: number }>();
    for (const [sequence, bucket] of this.#buckets) bucket.forEach((id, position) => places.set(id, { sequence, position }));
    return places;
  }

  #bucket(sequence: number): string[] {
    const bucket = this.#buckets.get(sequence) ?? [];
    this.#buckets.set(sequence, bucket);
    return bucket;
  }
}
