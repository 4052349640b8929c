import { type Quotas } from '../gateway/response-schemas.ts';

/** Quotas in a line; `default` where none was set. */
export function formatQuotas({ requests, tokens, audio_seconds }: Quotas): string {
  return `requests ${requests ?? 'default'}, tokens ${tokens ?? 'default'}, audio seconds ${audio_seconds ?? 'default'}`;
}
