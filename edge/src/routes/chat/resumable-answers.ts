import { type ServerResponse } from 'node:http';
import { type Principal } from '../../middleware/principal.ts';
import { type ParsedChat } from './parse-chat.ts';

/**
 * Most answers of one person at one edge that continue without a client; further ones end when their client leaves, as those of API keys
 * do.
 */
const MAX_KEPT = 20;

/** A request and its principal. */
interface Asked {
  principal: Principal;
  chat: Pick<ParsedChat, 'turn'>;
}

/** Counts open answers, so that a drain also waits for those without a client. */
interface Counter {
  enter(): void;
  leave(): void;
}

/** An answer in progress. */
interface Answer {
  addClient(res: ServerResponse): void;
  stopByUser(): void;
}

interface Kept {
  keyId: string;
  requestDigest: Uint8Array;
  answer: Answer;
}

/**
 * The streamed answers of people whose requests have an idempotency key. A page that was reloaded repeats the request and gets the same
 * answer, so the answer continues without a client until it ends or its user stops it (ADR 0061).
 */
export class ResumableAnswers {
  readonly #byName = new Map<string, Kept>();
  readonly #ofPerson = new Map<string, number>();
  readonly #counter: Counter;

  constructor(counter: Counter) {
    this.#counter = counter;
  }

  /** Returns the answer in progress that a request repeats: with the same person, key, idempotency key and content; undefined otherwise. */
  find({ principal, chat: { turn } }: Asked): Answer | undefined {
    if (!isKeepable(principal, turn)) return undefined;
    const kept = this.#byName.get(toAnswerKey(principal.userId, turn.idempotencyKey));
    return kept?.keyId === principal.keyId && Buffer.compare(kept.requestDigest, turn.requestDigest) === 0 ? kept.answer : undefined;
  }

  /** True when the answer to a request can be added: the person has fewer than 20, and none with this idempotency key. */
  canAdd({ principal, chat: { turn } }: Asked): boolean {
    if (!isKeepable(principal, turn) || this.#byName.has(toAnswerKey(principal.userId, turn.idempotencyKey))) return false;
    return (this.#ofPerson.get(principal.userId) ?? 0) < MAX_KEPT;
  }

  /** Adds an answer; the returned function removes it. */
  add({ principal: { userId, keyId }, chat: { turn } }: Asked, answer: Answer): () => void {
    const name = toAnswerKey(userId, turn.idempotencyKey);
    this.#counter.enter();
    this.#byName.set(name, { keyId, requestDigest: turn.requestDigest, answer });
    this.#ofPerson.set(userId, (this.#ofPerson.get(userId) ?? 0) + 1);
    return () => {
      this.#counter.leave();
      this.#byName.delete(name);
      const left = (this.#ofPerson.get(userId) ?? 1) - 1;
      if (left === 0) this.#ofPerson.delete(userId);
      else this.#ofPerson.set(userId, left);
    };
  }

  /** Stops the answer with this key (`toAnswerKey`) when it runs at this edge. */
  stop(name: string): void {
    this.#byName.get(name)?.answer.stopByUser();
  }
}

/** Returns the key of an answer: the person and the idempotency key of the request. */
export function toAnswerKey(userId: string, idempotencyKey: string): string {
  return `${userId} ${idempotencyKey}`;
}

function isKeepable({ session }: Principal, { stream, idempotencyKey }: ParsedChat['turn']): boolean {
  return session !== undefined && stream && idempotencyKey !== '';
}
