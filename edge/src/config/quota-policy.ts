import { type QuotaSubjectKind, type QuotaMetric } from '@parley/protos/quotas';
import { z } from 'zod';
import { ratePolicy, type RatePolicy } from './fields.ts';

/** An effective quota of a key or a workspace. */
export interface Quota {
  kind: QuotaSubjectKind;
  /** Id of the key or the workspace. */
  id: string;
  metric: QuotaMetric;
  /** The limit in the units of the metric; for audio in milliseconds, while the policy is in seconds. */
  limit: number;
  policy: RatePolicy;
}

/** Quotas as texts: a policy such as `10000 per 1 day`, `unlimited`, or null for the default. */
export interface QuotaTexts {
  requests: string | null;
  tokens: string | null;
  audioSeconds: string | null;
}

/** The policies of a key or a workspace; undefined means unlimited. */
export type QuotaPolicies = { readonly [name in keyof QuotaTexts]: RatePolicy | undefined };

/** The text for an unlimited quota, which overrides the default. */
const UNLIMITED = 'unlimited';

/** A quota as an operator writes it, normalised to `10000 per 1 day`. */
export const quotaText = z.union([z.literal(UNLIMITED), ratePolicy.transform(({ text }) => text)], {
  error: `must look like 10000 per 1 day, or be ${UNLIMITED}`,
});

/** A quota policy in a setting; undefined for `unlimited`. */
export const quotaPolicy = z
  .union([z.literal(UNLIMITED), ratePolicy], { error: `must look like 10000 per 1 day, or be ${UNLIMITED}` })
  .transform((value) => (value === UNLIMITED ? undefined : value));

const METRICS = { requests: 'requests', tokens: 'tokens', audioSeconds: 'audio_ms' } as const;
const NAMES = Object.keys(METRICS) as (keyof QuotaTexts)[];
const MS = 1_000;

/** Parses quotas; null texts become the defaults, and undefined means unlimited. */
export function parseQuotaPolicies(texts: QuotaTexts, defaults: QuotaPolicies): QuotaPolicies {
  const policyOf = (name: keyof QuotaTexts) => {
    const text = texts[name];
    return text === null ? defaults[name] : quotaPolicy.parse(text);
  };
  return { requests: policyOf('requests'), tokens: policyOf('tokens'), audioSeconds: policyOf('audioSeconds') };
}

/** True when `policy` never allows more than `other` in any period: neither at once nor over time. Undefined means unlimited. */
export function isPolicyWithin(policy: RatePolicy | undefined, other: RatePolicy | undefined): boolean {
  if (!other) return true;
  return policy !== undefined && policy.points * Math.max(1, other.seconds / policy.seconds) <= other.points;
}

/** Returns the effective quotas of a key or a workspace: its own, else the defaults; unlimited metrics have none. */
export function toEffectiveQuotas(kind: QuotaSubjectKind, id: string, texts: QuotaTexts, defaults: QuotaPolicies): Quota[] {
  const policies = parseQuotaPolicies(texts, defaults);
  return NAMES.flatMap((name) => {
    const policy = policies[name];
    if (!policy) return [];
    const metric = METRICS[name];
    return [{ kind, id, metric, limit: metric === 'audio_ms' ? policy.points * MS : policy.points, policy }];
  });
}
