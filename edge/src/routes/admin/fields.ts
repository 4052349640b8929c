import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { z } from 'zod';
import { quotaText } from '../../config/quota-policy.ts';
import { type QuotaChange } from '../../store/keys.ts';
import { slug, uuid } from '../fields.ts';

/** The path parameter with the id of a resource. */
export const idParams = z.object({ id: uuid });

/** The path parameter with the slug of a resource. */
export const slugParams = z.object({ slug });

/** The id of the workspace of an operation; the default workspace when it is absent. */
export const workspaceId = uuid.default(DEFAULT_WORKSPACE_ID).meta({ format: 'uuid', default: DEFAULT_WORKSPACE_ID });

/** Query parameter of operations on the resources of one workspace. */
export const workspaceQuery = z.object({ workspace_id: workspaceId });

/** Quotas of a key or a workspace in a body: null sets the default, an absent one is not changed. */
export const quotas = z
  .object({ requests: quotaText.nullish(), tokens: quotaText.nullish(), audio_seconds: quotaText.nullish() })
  .meta({ id: 'QuotaChange', description: 'Each such as `10000 per 1 day`, `unlimited`, or null for the default.' });

/** Converts the quotas of a body to the columns to change. */
export function toQuotaChange(given: z.output<typeof quotas> | undefined): QuotaChange {
  return {
    ...(given?.requests !== undefined && { quotaRequests: given.requests }),
    ...(given?.tokens !== undefined && { quotaTokens: given.tokens }),
    ...(given?.audio_seconds !== undefined && { quotaAudioSeconds: given.audio_seconds }),
  };
}

/** Returns the workspace in a path with `{id}`. */
export function resolvePathWorkspace({ params }: { params: z.output<typeof idParams> }): string {
  return params.id;
}

/** True when at least one field of an object is defined. */
export function hasDefinedField(value: object): boolean {
  return Object.values(value).some((field) => field !== undefined);
}
