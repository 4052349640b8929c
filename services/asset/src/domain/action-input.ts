import { GatewayError } from '@parley/protos/errors';
import { type StoredAsset } from './asset.ts';

/** A file that was uploaded for an action. */
export interface ActionInput extends StoredAsset {
  actionSlug: string;
  /** Until then a run may have it. */
  expiresAt: Date;
  /** The one run that has it. */
  runId: string | null;
}

/** Whose run asks for files. */
export interface InputClaim {
  workspaceId: string;
  actionSlug: string;
  runId: string;
}

/** A run may not have a file: all that is wrong with it is said in words, and it is never said whether another workspace has one. */
export function inputInvalid(reason: string, cause?: unknown): GatewayError {
  return new GatewayError('ASSET_INPUT_INVALID', reason, { ...(cause !== undefined && { cause }) });
}

/** The file, when the run may have it. @throws ASSET_INPUT_INVALID */
export function requireClaimable(input: (ActionInput & { expired: boolean }) | undefined, { actionSlug, runId }: InputClaim): ActionInput {
  if (!input) throw inputInvalid('a file of the input does not exist');
  if (input.actionSlug !== actionSlug) throw inputInvalid('a file of the input was uploaded for another action');
  if (input.runId !== null && input.runId !== runId) throw inputInvalid('a file of the input was used by another run');
  // What the run has already stays its own, however late it comes again.
  if (input.runId === null && input.expired) throw inputInvalid('a file of the input has expired');
  return input;
}

const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,98}[a-z0-9])?$/;

/** The name of an action. @throws VALIDATION_ERROR for what can be none */
export function actionSlug(value: string): string {
  if (!SLUG.test(value)) throw new GatewayError('VALIDATION_ERROR', 'action_slug is not the name of an action', { param: 'action_slug' });
  return value;
}
