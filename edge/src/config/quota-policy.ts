import { type QuotaKind, type QuotaMetric } from '@parley/protos/quotas';
import { z } from 'zod';
import { ratePolicy, type RatePolicy } from './fields.ts';

/** The current quota of a key or a workspace. */
export interface Quota {
  kind: QuotaKind;
  /** Of the key or the workspace. */
  id: string;
  metric: QuotaMetric;
  /** In the units that are counted: milliseconds where the policy says seconds. */
  limit: number;
  policy: RatePolicy;
}

/** Quotas as they are written: a policy such as `10000 per 1 day`, `unlimited`, or null for the default. */
export interface QuotaTexts {
  requests: string | null;
  tokens: string | null;
  audioSeconds: string | null;
}

/** Policies of one kind; what is undefined is unlimited. */
export type QuotaPolicies = { readonly [name in keyof QuotaTexts]: RatePolicy | undefined };

/** The text for no quota, whatever the default is. */
const UNLIMITED = 'unlimited';

/** A quota as an operator writes it, in its plain spelling. */
export const quotaText = z.union([z.literal(UNLIMITED), ratePolicy.transform(({ text }) => text)], {
  error: `must look like 10000 per 1 day, or be ${UNLIMITED}`,
});

/** A quota policy in a setting. */
export const quotaPolicy = z
  .union([z.literal(UNLIMITED), ratePolicy], { error: `must look like 10000 per 1 day, or be ${UNLIMITED}` })
  .transform((value) => (value === UNLIMITED ? undefined : value));

const METRICS = { requests: 'requests', tokens: 'tokens', audioSeconds: 'audio_ms' } as const;
const NAMES = Object.keys(METRICS) as (keyof QuotaTexts)[];
const MS = 1_000;

/** The policies that quotas say; what is undefined is unlimited. */
export function toPolicies(texts: QuotaTexts, defaults: QuotaPolicies): QuotaPolicies {
  const policyOf = (name: keyof QuotaTexts) => {
    const text = texts[name];
    return text === null ? defaults[name] : quotaPolicy.parse(text);
  };
  return { requests: policyOf('requests'), tokens: policyOf('tokens'), audioSeconds: policyOf('audioSeconds') };
}

/** True when a policy never allows more than another in any span of time: not at once, and not in the longer run. */
export function isWithin(policy: RatePolicy | undefined, other: RatePolicy | undefined): boolean {
  if (!other) return true;
  return policy !== undefined && policy.points * Math.max(1, other.seconds / policy.seconds) <= other.points;
}

/** The quotas that hold for a key or a workspace: its own, else the defaults. */
export function toQuotas(kind: QuotaKind, id: string, texts: QuotaTexts, defaults: QuotaPolicies): Quota[] {
  const policies = toPolicies(texts, defaults);
  return NAMES.flatMap((name) => {
    const policy = policies[name];
    if (!policy) return [];
    const metric = METRICS[name];
    return [{ kind, id, metric, limit: metric === 'audio_ms' ? policy.points * MS : policy.points, policy }];
  });
}
