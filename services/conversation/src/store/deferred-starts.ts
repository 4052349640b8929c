import { ObjectMap } from '@parley/kit/collections/object-map';
import { type NewTurn, type TurnKey } from '../domain/turn.ts';

/** How long the start of a turn may wait for its end. */
const DEFER_MS = 50;

/** The start of a turn that is not committed yet; the caller gets `resolve` or `reject` once. */
export interface DeferredStart {
  turn: NewTurn;
  resolve: (written: boolean | Promise<boolean>) => void;
  reject: (error: unknown) => void;
}

/** Deferred commits: starts of turns that may share the commit of a quick end. After `DEFER_MS` they are committed alone. */
export class DeferredStarts {
  readonly #write: (turn: NewTurn) => Promise<boolean>;
  #deferred = new ObjectMap<DeferredStart>();
  #timer: NodeJS.Timeout | undefined;

  /** `write` commits the start of a turn alone. */
  constructor(write: (turn: NewTurn) => Promise<boolean>) {
    this.#write = write;
  }

  /** Resolves when the start has been committed, alone or with the end. */
  defer(turn: NewTurn): Promise<boolean> {
    this.#timer ??= setTimeout(() => this.commitAll(), DEFER_MS);
    return new Promise((resolve, reject) => this.#deferred.set(turn.turnId, { turn, resolve, reject }));
  }

  /** Removes and returns a deferred start, to commit it together with the end; both must have the same owner. */
  take({ turnId, conversationId, workspaceId, keyId }: TurnKey): DeferredStart | undefined {
    const deferred = this.#deferred.get(turnId);
    if (deferred?.turn.conversationId !== conversationId || deferred.turn.workspaceId !== workspaceId || deferred.turn.keyId !== keyId)
      return undefined;
    this.#deferred.delete(turnId);
    return deferred;
  }

  /** Commits a deferred start alone; the owner must be the same. */
  commit(turn: TurnKey): void {
    const deferred = this.take(turn);
    deferred?.resolve(this.#write(deferred.turn));
  }

  /** Commits all deferred starts alone. */
  commitAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const deferred = this.#deferred.values();
    this.#deferred = new ObjectMap();
    for (const { turn, resolve } of deferred) resolve(this.#write(turn));
  }
}
