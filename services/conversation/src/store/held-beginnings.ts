import { ObjectMap } from '@parley/kit/collections/object-map';
import type { NewTurn, TurnKey } from '../domain/turn.ts';

/** How long the beginning of a turn may wait for its end. */
const HOLD_MS = 50;

/** A beginning that waits; whoever asked for it hears `resolve` or `reject` once. */
export interface HeldBeginning {
  turn: NewTurn;
  resolve: (written: boolean | Promise<boolean>) => void;
  reject: (error: unknown) => void;
}

/** Beginnings that may share the commit of a quick end. What waits too long goes its own way. */
export class HeldBeginnings {
  readonly #release: (turn: NewTurn) => Promise<boolean>;
  #held = new ObjectMap<HeldBeginning>();
  #timer: NodeJS.Timeout | undefined;

  /** `release` writes a beginning that has waited long enough. */
  constructor(release: (turn: NewTurn) => Promise<boolean>) {
    this.#release = release;
  }

  /** Resolves when the beginning has been written, alone or with the end. */
  hold(turn: NewTurn): Promise<boolean> {
    this.#timer ??= setTimeout(() => this.releaseAll(), HOLD_MS);
    return new Promise((resolve, reject) => this.#held.set(turn.turnId, { turn, resolve, reject }));
  }

  /** Takes the beginning of a turn out that still waits, to write it together with the end; the same caller must have sent both. */
  take({ turnId, conversationId, workspaceId, keyId }: TurnKey): HeldBeginning | undefined {
    const held = this.#held.get(turnId);
    if (held?.turn.conversationId !== conversationId || held.turn.workspaceId !== workspaceId || held.turn.keyId !== keyId)
      return undefined;
    this.#held.delete(turnId);
    return held;
  }

  /** Writes the beginning of a turn that still waits, by itself; the same caller must have sent it. */
  release(turn: TurnKey): void {
    const beginning = this.take(turn);
    beginning?.resolve(this.#release(beginning.turn));
  }

  /** Writes everything that waits. */
  releaseAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const held = this.#held.values();
    this.#held = new ObjectMap();
    for (const { turn, resolve } of held) resolve(this.#release(turn));
  }
}
