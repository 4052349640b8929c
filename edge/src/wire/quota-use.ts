import { type QuotaUse } from '@parley/protos/usage/v1/usage';
import { z } from 'zod';
import { type Quota } from '../config/quota-policy.ts';
import { toTimestamp } from './time.ts';

/** The use of a quota in its current window. */
const quotaUse = z
  .object({
    metric: z.enum(['requests', 'tokens', 'audio_seconds']),
    limit: z.int(),
    used: z.int().meta({ description: 'May exceed the limit when work took more than was reserved.' }),
    window_seconds: z.int(),
    window_ends_at: z.iso.datetime(),
  })
  .meta({ id: 'QuotaUse' });

/** The effective quotas of a key or a workspace with their use. */
export const quotaUses = z.array(quotaUse).meta({
  description:
    'Of the quotas in force, also those that are defaults of the gateway; with `include=quota_use` alone, and not while the counter does not answer. What ' +
    'another edge than the answering one holds ready for its next requests, for some seconds, counts as used.',
});

const MS = 1_000;

/** Converts the use of a quota to its JSON form; audio is in seconds, and windows end at whole seconds. */
export function toQuotaUse({ metric, policy }: Quota, { used, windowEndsInMs }: QuotaUse): z.input<typeof quotaUse> {
  return {
    metric: metric === 'audio_ms' ? 'audio_seconds' : metric,
    limit: policy.points,
    used: metric === 'audio_ms' ? Math.ceil(used / MS) : used,
    window_seconds: policy.seconds,
    window_ends_at: toTimestamp(new Date(Math.round((Date.now() + windowEndsInMs) / MS) * MS)),
  };
}
