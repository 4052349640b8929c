import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { z } from 'zod';
import { quotaText } from '../../config/quota-policy.ts';
import { type QuotaChange } from '../../store/keys.ts';
import { slug, uuid } from '../fields.ts';

/** The id of the thing in a path. */
export const idParams = z.object({ id: uuid });

/** The thing in a path by its slug. */
export const slugParams = z.object({ slug });

/** The workspace an operation is about. */
export const workspaceId = uuid.default(DEFAULT_WORKSPACE_ID).meta({ format: 'uuid', default: DEFAULT_WORKSPACE_ID });

/** Query of operations on one workspace's things. */
export const workspaceQuery = z.object({ workspace_id: workspaceId });

/** Quotas of a key or a workspace; null for the default, and what is left out stays as it is. */
export const quotas = z
  .object({ requests: quotaText.nullish(), tokens: quotaText.nullish(), audio_seconds: quotaText.nullish() })
  .meta({ id: 'QuotaChange', description: 'Each such as `10000 per 1 day`, `unlimited`, or null for the default.' });

/** The same as it is stored. */
export function toQuotaChange(given: z.output<typeof quotas> | undefined): QuotaChange {
  return {
    ...(given?.requests !== undefined && { quotaRequests: given.requests }),
    ...(given?.tokens !== undefined && { quotaTokens: given.tokens }),
    ...(given?.audio_seconds !== undefined && { quotaAudioSeconds: given.audio_seconds }),
  };
}

/** The workspace in a path of `{id}`. */
export function workspaceInPath({ params }: { params: z.output<typeof idParams> }): string {
  return params.id;
}

/** True for an object in which something is set. */
export function notEmpty(value: object): boolean {
  return Object.values(value).some((field) => field !== undefined);
}
