import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { type HttpPools } from '../http-pools.ts';
import { type ConnectionProvider } from '../provider.ts';
import { toStatusError } from '../status-error.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';

/** The API's default model; moved to the front of the list. */
const PREFERRED = 'eleven_multilingual_v2';

/** https://elevenlabs.io/docs/api-reference/models/list */
const modelList = z.array(z.object({ model_id: z.string(), can_do_text_to_speech: z.boolean().nullish() }));

/** https://elevenlabs.io/docs/eleven-api/resources/errors: `code` has replaced `status`, which is more specific when both are sent. */
const refusal = z.object({ detail: z.object({ status: z.string().nullish(), code: z.string().nullish() }) });

/**
 * ElevenLabs, for speech only. The audio service calls it and reports outcomes; this service connects and tests it and tracks its health.
 */
export function elevenLabs(pools: HttpPools): ConnectionProvider {
  return {
    traits: {
      name: 'elevenlabs',
      family: 'elevenlabs',
      purpose: 'speech',
      supports: ['speech'],
      needsSecret: true,
      trustsNamedModels: false,
      baseUrl: 'https://api.elevenlabs.io',
    },
    connect: async (connection) => ({ models: await listSpeechModels(pools, connection), secret: connection.secret }),
    test: async (connection) => ({ models: await listSpeechModels(pools, connection) }),
  };
}

/**
 * Returns the text-to-speech models, the default one first. Empty for a valid key that may not list models, such as one restricted to
 * speech. Throws a coded error.
 */
async function listSpeechModels(pools: HttpPools, { baseUrl, secret }: UpstreamConnection): Promise<string[]> {
  const unlisted = new GatewayError('UPSTREAM_ACCOUNT_NOT_AUTHORIZED', 'the key of this account may not list models');
  const refuse = (status: number, body: unknown, retryAfter?: string | string[]) =>
    isRestricted(body) ? unlisted : toStatusError(status, retryAfter);
  try {
    const body = await pools.requestJson(baseUrl, '/v1/models', { method: 'GET', headers: { 'xi-api-key': secret } }, refuse);
    const models = modelList.safeParse(body);
    if (!models.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider answered with something that is no list of models');
    const speaking = models.data.filter((model) => model.can_do_text_to_speech === true).map((model) => model.model_id);
    return speaking.toSorted((a, b) => Number(b === PREFERRED) - Number(a === PREFERRED));
  } catch (error) {
    if (error === unlisted) return [];
    throw error;
  }
}

function isRestricted(body: unknown): boolean {
  const parsed = refusal.safeParse(body);
  return parsed.success && [parsed.data.detail.status, parsed.data.detail.code].includes('missing_permissions');
}
