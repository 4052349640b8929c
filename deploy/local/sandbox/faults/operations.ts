import { type ServerResponse } from 'node:http';
import { type AccountState } from '../state/accounts.ts';
import { takesOver } from './admission.ts';
import { type FaultName, type Operation } from './faults.ts';
import { refusal } from './refusals.ts';

/** What goes wrong with an operation that is let through. */
export interface Met {
  readonly fault?: FaultName;
  readonly delayMs?: number | undefined;
}

/** Operations whose answers are long enough to be cut while they are on their way. */
const CUT_IN_THE_MIDDLE: readonly Operation[] = ['artifacts', 'speech'];

/**
 * Lets an operation meet the next fault ordered for it. Answers undefined when the fault has taken the response over; `cut` does so
 * before anything was done. `type`: what a client takes the answer for.
 * @throws SandboxError for a fault that is an error answer
 */
export async function meetOperationFault(on: Operation, res: ServerResponse, state: AccountState, type?: string): Promise<Met | undefined> {
  const fault = state.faults.take(on);
  if (fault === undefined) return {};
  if (await takesOver(res, fault, type)) return undefined;
  if (fault.fault === 'cut' && !CUT_IN_THE_MIDDLE.includes(on)) {
    hangUp(res);
    return undefined;
  }
  const error = refusal(fault);
  if (error !== undefined) throw error;
  return { fault: fault.fault, delayMs: fault.delay_ms };
}

/** Closes the connection without an answer, or without the rest of it. */
export function hangUp(res: ServerResponse): void {
  res.socket?.destroy();
}

/** Does what was asked for, unless a fault has the response, and answers, unless a fault has lost the answer. */
export async function operate(
  { res }: { res: ServerResponse },
  state: AccountState,
  on: Operation,
  act: (met: Met) => void | Promise<void>,
  answer: () => void,
): Promise<void> {
  const met = await meetOperationFault(on, res, state);
  if (met === undefined) return;
  await act(met);
  if (met.fault === 'lost_answer') hangUp(res);
  else answer();
}
