import { type ServerResponse } from 'node:http';
import { type AccountState } from '../state/accounts.ts';
import { applyTakeoverFault } from './chat-faults.ts';
import { toFaultError } from './fault-errors.ts';
import { type FaultName, type Operation } from './faults.ts';

/** The fault of an operation that is executed nevertheless. */
export interface AppliedFault {
  readonly fault?: FaultName;
  readonly delayMs?: number | undefined;
}

/** Operations whose responses are long enough to be cut while they are being sent. */
const CUT_IN_THE_MIDDLE: readonly Operation[] = ['artifacts', 'speech'];

/**
 * Applies the next fault of an operation. Resolves undefined when the fault has taken over the response; `cut` does so before anything is
 * executed. `type`: the content type that the client expects.
 * @throws SandboxError for a fault that is an error response
 */
export async function applyOperationFault(
  on: Operation,
  res: ServerResponse,
  state: AccountState,
  type?: string,
): Promise<AppliedFault | undefined> {
  const fault = state.faults.take(on);
  if (fault === undefined) return {};
  if (await applyTakeoverFault(res, fault, type)) return undefined;
  if (fault.fault === 'cut' && !CUT_IN_THE_MIDDLE.includes(on)) {
    destroyConnection(res);
    return undefined;
  }
  const error = toFaultError(fault);
  if (error !== undefined) throw error;
  return { fault: fault.fault, delayMs: fault.delay_ms };
}

/** Closes the connection without a response, or without the rest of it. */
export function destroyConnection(res: ServerResponse): void {
  res.socket?.destroy();
}

/** Executes `act`, unless a fault has taken over the response, and then sends the response with `answer`, unless a fault loses it. */
export async function runWithFaults(
  { res }: { res: ServerResponse },
  state: AccountState,
  on: Operation,
  act: (met: AppliedFault) => void | Promise<void>,
  answer: () => void,
): Promise<void> {
  const met = await applyOperationFault(on, res, state);
  if (met === undefined) return;
  await act(met);
  if (met.fault === 'lost_answer') destroyConnection(res);
  else answer();
}
