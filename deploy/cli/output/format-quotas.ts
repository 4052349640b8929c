import { type Quotas } from '../gateway/response-schemas.ts';

/** Formats quotas in one line; `default` for those that are not set. */
export function formatQuotas({ requests, tokens, audio_seconds }: Quotas): string {
  return `requests ${requests ?? 'default'}, tokens ${tokens ?? 'default'}, audio seconds ${audio_seconds ?? 'default'}`;
}
