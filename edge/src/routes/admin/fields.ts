import { DEFAULT_WORKSPACE_ID } from '@parley/protos/bootstrap';
import { z } from 'zod';
import { quotaText } from '../../config/quota-policy.ts';
import { type QuotaChange } from '../../store/keys.ts';

/** A name for people: one line, no control characters. */
export const name = z
  .string()
  .trim()
  .min(1, 'must not be empty')
  .max(200, 'must have at most 200 characters')
  .regex(/^[^\p{Cc}]*$/u, 'must not hold control characters');

/** The id of the thing a path names. */
export const idParams = z.object({ id: z.uuid('must be a UUID') });

/** What names a thing in a header: at most 64 lower-case letters and digits with single dashes. */
export const slug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be at most 64 lower-case letters and digits with single dashes');

/** The thing a path names by its slug. */
export const slugParams = z.object({ slug });

/** The workspace an operation is about. */
export const workspaceId = z.uuid('must be a UUID').default(DEFAULT_WORKSPACE_ID).meta({ format: 'uuid', default: DEFAULT_WORKSPACE_ID });

/** Query of operations on one workspace's things. */
export const workspaceQuery = z.object({ workspace_id: workspaceId });

/** Quotas of a key or a workspace (spec §8); null for the default, and what is left out stays as it is. */
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

/** Refuses an object in which nothing is set. */
export function notEmpty(value: object): boolean {
  return Object.values(value).some((field) => field !== undefined);
}
