import { type LocalMessage, type LocalTurn, MessageMatcher, type UpstreamMessage } from './message-matcher.ts';
import { equalsStored } from './text.ts';

/** A message as it should be stored from now on. */
export interface MergedMessage {
  id: string;
  isNew: boolean;
  upstreamId: string | null;
  role: string;
  content: string;
  model: string | null;
  sequence: number;
  position: number;
  /** Of a new one; undefined when the upstream does not know. */
  createdAt: Date | undefined;
}

/** What has to change; nothing at all when the record says what the upstream says. */
export interface MergePlan {
  changed: MergedMessage[];
  removedIds: string[];
}

/** What is merged. */
export interface MergeInput {
  local: readonly LocalMessage[];
  turns: readonly LocalTurn[];
  /** Oldest first: the whole branch, or where `onlyAdded` what was added behind the last turn. */
  upstream: readonly UpstreamMessage[];
  /** What is not told is not known, instead of gone. */
  onlyAdded?: boolean;
  /** What later turns brought is not taken for removed. */
  lastSequence: number;
  /** Ids for new messages. */
  newId: () => string;
}

/**
 * How the record comes to say what the upstream says: what the upstream added gets a local id that stays, edits are taken over, what is
 * gone is removed, and messages stand in the upstream's order as far as the turns allow. Messages that the upstream never had (of turns
 * that failed, or imported ones) stay. Merging the same again changes nothing.
 */
export function planMerge(input: MergeInput): MergePlan {
  const { local, turns, upstream, onlyAdded = false } = input;
  const matches = new MessageMatcher(local, turns);
  const order = new MessageOrder(local, turns, onlyAdded);
  const wanted: { found: LocalMessage | undefined; reported: UpstreamMessage; id: string }[] = [];
  let before = onlyAdded ? local.findLast(({ removed }) => !removed)?.id : undefined;
  for (const reported of upstream) {
    const match = matches.take(reported);
    if (match === 'running' || match === 'repeated') continue;
    const id = match?.id ?? input.newId();
    // A message of a turn stays where it is, and one that was added before.
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
  // Those that had to make room, without anything else of them changing.
  const moved = local.flatMap((message): MergedMessage[] => {
    const place = places.get(message.id);
    if (!place || message.removed || settled.has(message.id)) return [];
    if (place.sequence === message.sequence && place.position === message.position) return [];
    return [{ ...message, ...place, isNew: false, createdAt: undefined }];
  });
  return { changed: [...changed, ...moved], removedIds };
}

function toMerged(found: LocalMessage | undefined, reported: UpstreamMessage, id: string): Omit<MergedMessage, 'sequence' | 'position'> {
  const isEdited = !found || !equalsStored(reported.text, found.content);
  return {
    ...{ id, isNew: !found, upstreamId: reported.upstreamId, role: reported.role, createdAt: reported.createdAt },
    content: isEdited ? reported.text : found.content,
    model: reported.role === 'assistant' ? (found?.model ?? (reported.model || null)) : null,
  };
}

function isSame(found: LocalMessage, merged: MergedMessage): boolean {
  return (
    !found.removed &&
    found.upstreamId === merged.upstreamId &&
    found.content === merged.content &&
    found.sequence === merged.sequence &&
    found.position === merged.position
  );
}

/** What the upstream had and has no more: what a merge has seen before, and what a turn that went well has brought. */
function findRemovedIds({ local, upstream, lastSequence, onlyAdded }: MergeInput, matches: MessageMatcher): string[] {
  if (onlyAdded) return [];
  const roles = new Set(upstream.map(({ role }) => role));
  return local
    .filter((message) => {
      if (message.removed || matches.has(message)) return false;
      if (message.upstreamId !== null) return true;
      // Not every upstream keeps system messages as messages.
      if (message.role === 'system' && !roles.has('system')) return false;
      return message.sequence <= lastSequence && matches.isOfCompletedTurn(message);
    })
    .map(({ id }) => id);
}

/** Stands for the answer of a turn that runs. */
const UNWRITTEN = '';

/** Where messages stand: those of turns and imports where they are, the others behind the one that the upstream has before them. */
class MessageOrder {
  readonly #buckets = new Map<number, string[]>();
  readonly #sequenceOf = new Map<string, number>();

  constructor(local: readonly LocalMessage[], turns: readonly LocalTurn[], onlyAdded: boolean) {
    for (const message of local) {
      // Where a merge of everything put a message before is no reason to leave it there; one that is gone keeps no place.
      if (!onlyAdded && message.turnId === null && message.upstreamId !== null) continue;
      this.#bucket(message.sequence).push(message.id);
      this.#sequenceOf.set(message.id, message.sequence);
    }
    // The answer of a turn that runs will stand behind its question.
    for (const turn of turns) if (turn.status === null) this.#bucket(turn.sequence).push(UNWRITTEN);
  }

  /** Behind another one, and behind the answer that a turn is still writing there; without another one behind what was imported. */
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
