import { type ErrorCondition, GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { readJson } from '../read-json.ts';
import { ProviderConcurrencyError } from '../speech-connection.ts';

const MAX_BYTES = 65_536;
/** `Retry-After` without credit, in milliseconds: credit is not restored within the retries of a request. */
const NO_CREDIT_MS = 300_000;

/** Newer error responses have a `code`, older ones only a `status`; validation errors have neither. */
const body = z.object({ detail: z.object({ status: z.string().nullish(), code: z.string().nullish() }) });

interface Meaning {
  condition: ErrorCondition;
  message: string;
  param?: string;
  retryAfterMs?: number;
}

const NO_CREDIT: Meaning = {
  condition: 'PROVIDER_NO_CREDIT',
  message: 'the ElevenLabs account has not enough credits left',
  retryAfterMs: NO_CREDIT_MS,
};
const LIMITED: Meaning = { condition: 'PROVIDER_RATE_LIMITED', message: 'ElevenLabs limits this account' };
const NOT_ALLOWED: Meaning = { condition: 'UPSTREAM_ACCOUNT_NOT_AUTHORIZED', message: 'the ElevenLabs account or key does not allow this' };
const NO_VOICE: Meaning = { condition: 'VOICE_NOT_FOUND', message: 'the ElevenLabs account does not have this voice', param: 'voice' };
const NO_MODEL: Meaning = { condition: 'VALIDATION_ERROR', message: 'ElevenLabs does not have this model for speech', param: 'model' };
const REFUSED: Meaning = {
  condition: 'VALIDATION_ERROR',
  message: 'ElevenLabs does not take this text with this voice, model and options',
};
const BUSY: Meaning = { condition: 'PROVIDER_UNAVAILABLE', message: 'ElevenLabs is overloaded' };

/** https://elevenlabs.io/docs/eleven-api/resources/errors; the status alone does not distinguish exhausted credit (401) from an invalid key (401). */
const MEANINGS = new Map<string, Meaning>(
  Object.entries({
    ...{ quota_exceeded: NO_CREDIT, insufficient_credits: NO_CREDIT },
    ...{ missing_permissions: NOT_ALLOWED, detected_unusual_activity: NOT_ALLOWED, subscription_required: NOT_ALLOWED },
    ...{ voice_not_found: NO_VOICE, invalid_voice_id: NO_VOICE, voice_does_not_exist: NO_VOICE },
    ...{ model_not_found: NO_MODEL, invalid_model_id: NO_MODEL, unsupported_model: NO_MODEL, model_can_not_do_text_to_speech: NO_MODEL },
    ...{ rate_limit_exceeded: LIMITED, system_busy: BUSY },
  }),
);

/** Codes of an account that has reached its limit of concurrent requests. */
const FULL: ReadonlySet<string> = new Set(['too_many_concurrent_requests', 'concurrent_limit_exceeded']);

/**
 * Converts an error response of ElevenLabs to a GatewayError. Its message, which may repeat the text, is discarded; only the code is used.
 */
export async function parseErrorBody(response: Response): Promise<GatewayError> {
  const { status, headers } = response;
  const parsed = body.safeParse(await readJson(response, MAX_BYTES));
  const { code, status: legacy } = parsed.success ? parsed.data.detail : {};
  const names = [legacy ?? '', code ?? ''];
  if (names.some((name) => FULL.has(name)))
    return new ProviderConcurrencyError('ElevenLabs already has as many requests as the account may have at once', readRetryAfter(headers));
  const meaning = names.map((name) => MEANINGS.get(name)).find((one) => one !== undefined) ?? toMeaning(status);
  const { condition, message, param, retryAfterMs = readRetryAfter(headers) } = meaning;
  return new GatewayError(condition, message, { ...(param && { param }), ...(retryAfterMs !== undefined && { retryAfterMs }) });
}

function toMeaning(status: number): Meaning {
  if (status === 401) return { condition: 'ACCOUNT_REAUTH_REQUIRED', message: 'ElevenLabs refuses the key of this account' };
  if (status === 402) return NO_CREDIT;
  if (status === 403) return NOT_ALLOWED;
  if (status === 429) return LIMITED;
  if (status === 408 || status >= 500) return { condition: 'PROVIDER_UNAVAILABLE', message: `ElevenLabs answered ${status}` };
  return REFUSED;
}

function readRetryAfter(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after'));
  return seconds > 0 ? seconds * 1_000 : undefined;
}
