import { GatewayError } from '@parley/protos/errors';
import { authorization, listModels } from '../openai-compatible/models.ts';
import { type Pools, type Refuse } from '../pools.ts';
import { type ProviderAccount } from '../provider-account.ts';
import { type ConnectionKind } from '../provider.ts';
import { toRefusal } from '../upstream-status.ts';

/** What an OpenAI-style audio server is used for. */
export type AudioPurpose = 'speech' | 'transcription';

const ENDPOINTS = { speech: '/audio/speech', transcription: '/audio/transcriptions' } as const;

/**
 * Any server with `/v1/audio/speech`, or with `/v1/audio/transcriptions`. The audio service calls it; here it is connected, tested, and judged
 * by what the audio service reports.
 */
export function openAiAudio(pools: Pools, purpose: AudioPurpose): ConnectionKind {
  const ask = (account: ProviderAccount) => listModelNames(pools, account, purpose);
  return {
    traits: {
      name: `openai-${purpose}`,
      family: 'openai',
      purpose,
      supports: [purpose],
      needsSecret: false,
      trustsNamedModels: true,
    },
    connect: async (account) => ({ models: await ask(account), secret: account.secret }),
    test: async (account) => ({ models: await ask(account) }),
  };
}

/** What the server lists. Many list nothing: they work when there is something at their endpoint. Throws a coded error. */
async function listModelNames(pools: Pools, account: ProviderAccount, purpose: AudioPurpose): Promise<string[]> {
  try {
    return await listModels(pools, account);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.condition !== 'INVALID_REQUEST') throw error;
    await requireEndpoint(pools, account, ENDPOINTS[purpose]);
    return [];
  }
}

/** An empty request costs nothing, and is refused as such by a server that is there. */
async function requireEndpoint(pools: Pools, account: ProviderAccount, path: string): Promise<void> {
  const answered = new GatewayError('VALIDATION_ERROR', 'the provider refused an empty request');
  const absent = new GatewayError('INVALID_REQUEST', 'the server has no such endpoint');
  const refuse: Refuse = (status, ...rest) =>
    [400, 415, 422].includes(status) ? answered : status === 404 ? absent : toRefusal(status, ...rest);
  await pools.json(account.baseUrl, path, { method: 'POST', headers: authorization(account), body: {} }, refuse).catch((error: unknown) => {
    if (error !== answered) throw error;
  });
}
