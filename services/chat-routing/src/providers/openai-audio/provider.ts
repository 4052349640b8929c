import { GatewayError } from '@parley/protos/errors';
import { type HttpPools, type ErrorResponseMapper } from '../http-pools.ts';
import { toAuthorizationHeader, listModels } from '../openai-compatible/models.ts';
import { type ConnectionProvider } from '../provider.ts';
import { toStatusError } from '../status-error.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';

/** What an OpenAI-style audio server is used for. */
export type AudioPurpose = 'speech' | 'transcription';

const ENDPOINTS = { speech: '/audio/speech', transcription: '/audio/transcriptions' } as const;

/**
 * Any server with `/v1/audio/speech` or `/v1/audio/transcriptions`. The audio service calls it and reports outcomes; this service connects
 * and tests it and tracks its health.
 */
export function openAiAudio(pools: HttpPools, purpose: AudioPurpose): ConnectionProvider {
  const ask = (connection: UpstreamConnection) => listModelNames(pools, connection, purpose);
  return {
    traits: {
      name: `openai-${purpose}`,
      family: 'openai',
      purpose,
      supports: [purpose],
      needsSecret: false,
      trustsNamedModels: true,
    },
    connect: async (connection) => ({ models: await ask(connection), secret: connection.secret }),
    test: async (connection) => ({ models: await ask(connection) }),
  };
}

/** Returns the listed models; empty for the many servers without a list, whose endpoint is checked instead. Throws a coded error. */
async function listModelNames(pools: HttpPools, connection: UpstreamConnection, purpose: AudioPurpose): Promise<string[]> {
  try {
    return await listModels(pools, connection);
  } catch (error) {
    if (!(error instanceof GatewayError) || error.condition !== 'INVALID_REQUEST') throw error;
    await requireEndpoint(pools, connection, ENDPOINTS[purpose]);
    return [];
  }
}

/** Checks that an endpoint exists: it rejects an empty request as invalid, which costs nothing. Throws a coded error otherwise. */
async function requireEndpoint(pools: HttpPools, connection: UpstreamConnection, path: string): Promise<void> {
  const answered = new GatewayError('VALIDATION_ERROR', 'the provider refused an empty request');
  const absent = new GatewayError(
    'INVALID_REQUEST',
    'the server has no such endpoint: the path of the base URL may be wrong (that of most servers ends with /v1)',
  );
  const refuse: ErrorResponseMapper = (status, ...rest) =>
    [400, 415, 422].includes(status) ? answered : status === 404 ? absent : toStatusError(status, ...rest);
  await pools
    .requestJson(connection.baseUrl, path, { method: 'POST', headers: toAuthorizationHeader(connection), body: {} }, refuse)
    .catch((error: unknown) => {
      if (error !== answered) throw error;
    });
}
