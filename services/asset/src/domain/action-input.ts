import { GatewayError } from '@parley/protos/errors';
import { type StoredAsset } from './asset.ts';

/** A file that was uploaded for an action. */
export interface ActionInput extends StoredAsset {
  actionSlug: string;
  /** Time until which it can be assigned to a run. */
  expiresAt: Date;
  /** Id of the run to which it is assigned; null before. */
  runId: string | null;
}

/** The run that requests files. */
export interface InputClaim {
  workspaceId: string;
  actionSlug: string;
  runId: string;
}

/** Returns the error of a file that a run cannot use. The reason is a text, and never reveals whether another workspace has the file. */
export function invalidInputError(reason: string, cause?: unknown): GatewayError {
  return new GatewayError('ASSET_INPUT_INVALID', reason, { ...(cause !== undefined && { cause }) });
}

/** Returns the file if it can be assigned to the run. @throws ASSET_INPUT_INVALID */
export function requireClaimable(input: (ActionInput & { expired: boolean }) | undefined, { actionSlug, runId }: InputClaim): ActionInput {
  if (!input) throw invalidInputError('a file of the input does not exist');
  if (input.actionSlug !== actionSlug) throw invalidInputError('a file of the input was uploaded for another action');
  if (input.runId !== null && input.runId !== runId) throw invalidInputError('a file of the input was used by another run');
  // A file that is already assigned to the run stays assigned after it expires.
  if (input.runId === null && input.expired) throw invalidInputError('a file of the input has expired');
  return input;
}

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

/** Checks the slug of an action and returns it. @throws VALIDATION_ERROR for an invalid slug */
export function requireActionSlug(value: string): string {
  if (!SLUG.test(value)) throw new GatewayError('VALIDATION_ERROR', 'action_slug is not the name of an action', { param: 'action_slug' });
  return value;
}
