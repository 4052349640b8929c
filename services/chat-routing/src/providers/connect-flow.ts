import { type GatewayError } from '@parley/protos/errors';
import { type z } from 'zod';
import { type ConnectStep, type StepAnswer } from '../domain/connect-step.ts';

/** The connection that a flow creates or reconnects. */
export interface ConnectFlowTarget {
  /** Id of the connection; a new one gets its id in advance. */
  connectionId: string;
  /** Set when an existing connection is reconnected: account and base URL stay the same. */
  reconnects?: { account: string; baseUrl: string; models: string[] } | undefined;
  /** Whether the user may enter a base URL that resolves to private addresses. */
  mayBePrivate: boolean;
}

/** An account whose credentials the upstream has accepted. */
export interface VerifiedAccount {
  baseUrl: string;
  account: string;
  /** The secret to store. */
  secret: string;
  /** Model names; empty to keep the connection's models. */
  models: string[];
  /** Whether the user named the models, so that the upstream's list is not used. */
  modelsNamed: boolean;
}

/**
 * Outcome of an answer. `asked`: there is a next step; `refused`: the upstream rejected it, which counts as a wrong answer; `interrupted`:
 * the state advanced, but then the upstream failed; `proven`: the credentials are verified and the flow can complete.
 */
export type FlowOutcome<S> =
  | { is: 'asked'; state: S }
  | { is: 'refused'; reason: string; state?: S }
  | { is: 'interrupted'; error: GatewayError; state: S }
  | { is: 'proven'; account: VerifiedAccount; state: S };

/** State machine that connects an account step by step. The state holds everything between two answers and is stored encrypted. */
export interface FlowMachine<S> {
  /** Returns the initial state, without calling an upstream. */
  begin(subject: ConnectFlowTarget): S;
  /** Returns the step that a state requires from the user. Pure. */
  getStep(state: S): ConnectStep;
  /**
   * Processes the answer to the state's step. Throws a coded error when the state is unchanged and the answer may be repeated without
   * counting.
   */
  answer(state: S, answer: StepAnswer, signal: AbortSignal): Promise<FlowOutcome<S>>;
  /** Closes the sign-in that a state has open at the upstream, if any; one that no longer exists is not an error. Throws a coded error. */
  abandon(state: S): Promise<void>;
}

/** A flow whose functions accept stored states. */
export type StoredFlowMachine = FlowMachine<unknown>;

/** Wraps a state machine so that its functions validate stored states; they throw for a state of an incompatible release. */
export function toStoredFlowMachine<S>(state: z.ZodType<S>, machine: FlowMachine<S>): StoredFlowMachine {
  return {
    begin: (subject) => machine.begin(subject),
    getStep: (stored) => machine.getStep(state.parse(stored)),
    answer: (stored, answer, signal) => machine.answer(state.parse(stored), answer, signal),
    abandon: (stored) => machine.abandon(state.parse(stored)),
  };
}
