import { GatewayError, toGatewayError } from '@parley/protos/errors';
import { EgressRefused } from './egress-guard.ts';
import { StepError } from './step-executor.ts';

/** Returns the error of a step whose resolved values are not a valid request: nothing was sent. */
export function invalidStepError(message: string): StepError {
  return new StepError(new GatewayError('ACTION_STEP_FAILED', message), 'none');
}

/**
 * Returns the error of a failed call to one of the gateway's services. A rejected call had no effect; the effect of an interrupted one is
 * unknown.
 */
export function toInternalCallError(thrown: unknown, signal: AbortSignal): StepError {
  if (thrown instanceof StepError) return thrown;
  const error = signal.aborted ? toGatewayError(signal.reason) : toGatewayError(thrown);
  const isRefusal = !signal.aborted && error.row.http < 499;
  return new StepError(error, isRefusal ? 'none' : 'unknown');
}

/** Returns the error of a request to an external API without a response. A request that was never sent had no effect. */
export function toApiRequestError(thrown: unknown, sent: boolean, signal: AbortSignal): StepError {
  if (thrown instanceof StepError) return thrown;
  const effect = sent ? 'unknown' : 'none';
  if (signal.aborted) return new StepError(toGatewayError(signal.reason), effect);
  const refused = refusalIn(thrown);
  if (refused) return new StepError(refused.error, effect);
  if (thrown instanceof GatewayError) return new StepError(thrown, effect);
  const isLate = (thrown as { code?: unknown }).code === 'UND_ERR_CONNECT_TIMEOUT';
  const cause = thrown;
  return new StepError(
    isLate
      ? new GatewayError('PROVIDER_TIMEOUT', 'the API could not be reached in time', { cause })
      : new GatewayError('PROVIDER_UNAVAILABLE', sent ? 'the connection to the API was interrupted' : 'the API could not be reached', {
          cause,
        }),
    effect,
  );
}

/** Finds an EgressRefused in an error: with several addresses the errors are aggregated, or one is the cause of another. */
function refusalIn(thrown: unknown): EgressRefused | undefined {
  if (thrown instanceof EgressRefused) return thrown;
  if (thrown instanceof AggregateError) return thrown.errors.map(refusalIn).find((found) => found !== undefined);
  return thrown instanceof Error && thrown.cause !== undefined ? refusalIn(thrown.cause) : undefined;
}
