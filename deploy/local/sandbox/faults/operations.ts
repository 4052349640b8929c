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

/**
 * Lets an operation meet the next fault ordered for it. Answers undefined when the fault has taken the response over; `cut` does so
 * before anything was done.
 * @throws SandboxError for a fault that is an error answer
 */
export async function meetOperationFault(on: Operation, res: ServerResponse, state: AccountState): Promise<Met | undefined> {
  const fault = state.faults.take(on);
  if (fault === undefined) return {};
  if (await takesOver(res, fault)) return undefined;
  if (fault.fault === 'cut' && on !== 'artifacts') {
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
