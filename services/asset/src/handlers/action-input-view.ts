import { type ActionInputAsset } from '@parley/protos/asset/v1/asset';
import { type ActionInput } from '../domain/action-input.ts';
import { toAsset } from './asset-view.ts';

/** Converts a file for an action to its message. */
export function toActionInput(input: ActionInput): ActionInputAsset {
  const { actionSlug, expiresAt, runId } = input;
  return { asset: toAsset(input), actionSlug, expiresAt, runId: runId ?? '' };
}
