import { z } from 'zod';
import { parseQuota, QUOTA_UNITS, formatQuota } from '../../api/quota.ts';
import { type ApiKey, type NewKey, type QuotaChange } from './queries/keys.ts';

/** Scopes that a key may have. */
export const KEY_SCOPES = ['chat', 'conversations', 'audio', 'actions:read', 'actions:run'] as const;
/** Metrics that quotas limit. */
export const QUOTA_METRICS = ['requests', 'tokens', 'audio_seconds'] as const;
export type QuotaMetric = (typeof QUOTA_METRICS)[number];
/** When a key ends: never, after so many days, or on a day. */
export const EXPIRIES = ['never', '7', '30', '90', '365', 'date'] as const;

const MAX_LIMIT = 999_999_999;
const MAX_PERIODS = 9999;
const DAY_MS = 86_400_000;

const isWhole = (text: string, max: number) => /^\d{1,9}$/.test(text.trim()) && Number(text) >= 1 && Number(text) <= max;
const quota = z
  .object({ kind: z.enum(['default', 'unlimited', 'limit']), limit: z.string(), periods: z.string(), unit: z.enum(QUOTA_UNITS) })
  .refine(({ kind, limit, periods }) => kind !== 'limit' || (isWhole(limit, MAX_LIMIT) && isWhole(periods, MAX_PERIODS)), 'quotaInvalid');

/** The schema of the forms of a key; messages are keys of the texts. */
export const keyFormSchema = z
  .object({
    name: z.string().trim().min(1, 'nameMissing').max(200, 'nameLong'),
    scopes: z.array(z.enum(KEY_SCOPES)).min(1, 'scopesMissing'),
    expiry: z.enum(EXPIRIES),
    date: z.string(),
    project: z.string(),
    userId: z.string(),
    quotas: z.object({ requests: quota, tokens: quota, audio_seconds: quota }),
  })
  .refine(({ expiry, date }) => expiry !== 'date' || new Date(`${date}T23:59:59`).getTime() > Date.now(), {
    error: 'dateInvalid',
    path: ['date'],
  });
export type KeyForm = z.infer<typeof keyFormSchema>;

/** Returns the form of a key; without a key, the form with the defaults of a new one. */
export function toKeyForm(key: ApiKey | undefined, userId: string): KeyForm {
  return {
    name: key?.name ?? '',
    scopes: key?.scopes ?? ['chat', 'conversations'],
    expiry: 'never',
    date: '',
    project: key?.project ?? '',
    userId: key?.user_id ?? userId,
    quotas: {
      requests: toDraft(key?.quotas.requests ?? null),
      tokens: toDraft(key?.quotas.tokens ?? null),
      audio_seconds: toDraft(key?.quotas.audio_seconds ?? null),
    },
  };
}

/** The key that a form asks for. */
export function toNewKey({ name, scopes, project, quotas, ...form }: KeyForm): Omit<NewKey, 'user_id'> {
  return { name, scopes, project: project || null, expires_at: toEnd(form), quotas: toQuotas(quotas) };
}

/** The quotas of a form as the gateway takes them. */
function toQuotas(quotas: KeyForm['quotas']): Record<QuotaMetric, string | null> {
  return { requests: toText(quotas.requests), tokens: toText(quotas.tokens), audio_seconds: toText(quotas.audio_seconds) };
}

/** Returns the changes of a key that a form contains. */
export function toKeyChange({ name, quotas }: KeyForm, key: ApiKey): { name?: string; quotas?: QuotaChange } {
  const asked = toQuotas(quotas);
  const changed = QUOTA_METRICS.filter((metric) => asked[metric] !== key.quotas[metric]);
  return {
    ...(name !== key.name && { name }),
    ...(changed.length > 0 && { quotas: Object.fromEntries(changed.map((metric) => [metric, asked[metric]])) }),
  };
}

type Draft = KeyForm['quotas'][QuotaMetric];

function toDraft(text: string | null): Draft {
  const read = parseQuota(text);
  if (!read) return { kind: text === null ? 'default' : 'unlimited', limit: '', periods: '1', unit: 'day' };
  const { limit, periods, unit } = read;
  return { kind: 'limit', limit: String(limit), periods: String(periods), unit };
}

function toText({ kind, limit, periods, unit }: Draft): string | null {
  if (kind === 'default') return null;
  return kind === 'unlimited' ? kind : formatQuota({ limit: Number(limit), periods: Number(periods), unit });
}

function toEnd({ expiry, date }: Pick<KeyForm, 'expiry' | 'date'>): string | null {
  if (expiry === 'never') return null;
  return (expiry === 'date' ? new Date(`${date}T23:59:59`) : new Date(Date.now() + Number(expiry) * DAY_MS)).toISOString();
}
