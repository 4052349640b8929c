import { KeyTable } from '@parley/kit/collections/key-table';
import type { NewTurn, TurnKey } from '../domain/turn.ts';

/** How long the beginning of a turn may wait for its end. */
const DEFER_MS = 50;

/** A beginning that waits; whoever asked for it hears `resolve` or `reject` once. */
export interface DeferredTurn {
  turn: NewTurn;
  resolve: (written: boolean | Promise<boolean>) => void;
  reject: (error: unknown) => void;
}

/** Beginnings that may share the commit of a quick end. What waits too long goes its own way. */
export class DeferredTurns {
  readonly #release: (turn: NewTurn) => Promise<boolean>;
  #held = new KeyTable<DeferredTurn>();
  #timer: NodeJS.Timeout | undefined;

  /** `release` writes a beginning that has waited long enough. */
  constructor(commit: (turn: NewTurn) => Promise<boolean>) {
    this.#release = commit;
  }

  /** Resolves when the beginning has been written, alone or with the end. */
  defer(turn: NewTurn): Promise<boolean> {
    this.#timer ??= setTimeout(() => this.commitAll(), DEFER_MS);
    return new Promise((resolve, reject) => this.#held.set(turn.turnId, { turn, resolve, reject }));
  }

  /** Takes the beginning of a turn out that still waits, to write it together with the end; the same caller must have sent both. */
  take({ turnId, conversationId, workspaceId, keyId }: TurnKey): DeferredTurn | undefined {
    const deferred = this.#held.get(turnId);
    if (deferred?.turn.conversationId !== conversationId || deferred.turn.workspaceId !== workspaceId || deferred.turn.keyId !== keyId)
      return undefined;
    this.#held.delete(turnId);
    return deferred;
  }

  /** Writes the beginning of a turn that still waits, by itself; the same caller must have sent it. */
  commit(turn: TurnKey): void {
    const beginning = this.take(turn);
    beginning?.resolve(this.#release(beginning.turn));
  }

  /** Writes everything that waits. */
  commitAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const deferred = this.#held.values();
    this.#held = new KeyTable();
    for (const { turn, resolve } of deferred) resolve(this.#release(turn));
  }
}
