import { type z } from 'zod';
import { type ConnectStep, type StepAnswer } from '../domain/connect-step.ts';
import { type GatewayError } from '@parley/protos/errors';

/** What a flow connects. */
export interface FlowSubject {
  /** Id of the connection, also of one that is not there yet. */
  connectionId: string;
  /** Set where a connection is reconnected: it stays where it is, with its account. */
  reconnects?: { account: string; baseUrl: string; models: string[] } | undefined;
  /** Whether the person may name a base URL that is not public. */
  mayBePrivate: boolean;
}

/** An account that was proven at its upstream. */
export interface VerifiedAccount {
  baseUrl: string;
  account: string;
  /** What the connection keeps. */
  secret: string;
  /** Empty: those that the connection has. */
  models: string[];
  /** A person named the models; what the upstream lists does not matter. */
  modelsNamed: boolean;
}

/**
 * What became of an answer. `asked`: the next question; `refused`: the upstream does not accept it, which counts as a wrong answer;
 * `interrupted`: the flow went on, and then the upstream was away; `proven`: this was the last one.
 */
export type FlowOutcome<S> =
  | { is: 'asked'; state: S }
  | { is: 'refused'; reason: string; state?: S }
  | { is: 'interrupted'; error: GatewayError; state: S }
  | { is: 'proven'; account: VerifiedAccount; state: S };

/** How an account is connected step by step. Between two answers everything is in the state, which is stored encrypted. */
export interface FlowMachine<S> {
  /** The state before the first answer. Asks no upstream. */
  begin(subject: FlowSubject): S;
  /** What a person is asked in a state. Pure. */
  ask(state: S): ConnectStep;
  /** Takes an answer to what `ask` says. Throws a coded error when nothing has happened and the same answer may be given again; such errors do not count. */
  answer(state: S, answer: StepAnswer, signal: AbortSignal): Promise<FlowOutcome<S>>;
  /** Closes what a state has left open at the upstream. What is not there is no error. Throws a coded error. */
  abandon(state: S): Promise<void>;
}

/** A flow whose states were stored. */
export type ConnectFlow = FlowMachine<unknown>;

/** A flow that reads its own stored states. Its functions throw for a state that another release wrote. */
export function storedFlow<S>(state: z.ZodType<S>, machine: FlowMachine<S>): ConnectFlow {
  return {
    begin: (subject) => machine.begin(subject),
    ask: (stored) => machine.ask(state.parse(stored)),
    answer: (stored, answer, signal) => machine.answer(state.parse(stored), answer, signal),
    abandon: (stored) => machine.abandon(state.parse(stored)),
  };
}
