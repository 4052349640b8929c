import { GatewayError } from '@parley/protos/errors';
import { toBodyError } from '../body-error.ts';
import { type HttpPools } from '../http-pools.ts';
import { type ChatProvider } from '../provider.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { chat, type ChatBounds } from './chat.ts';
import { createEmulatedFileOperations } from './files.ts';
import { toAuthorizationHeader, listModels } from './models.ts';
import { type Extractor, prepareFile } from './prepare-file.ts';
import { createEmulatedProjectOperations } from './projects.ts';
import { isErrorObject, parseChatCompletion } from './wire.ts';

/** Dependencies of emulating files and projects for an upstream that has none. */
export interface EmulationDeps extends ChatBounds {
  extractor: Extractor;
}

/** Any server with `/v1/chat/completions`: Ollama, vLLM, llama.cpp, LM Studio, another gateway. Stateless: history is replayed. */
export function openAiCompatible(pools: HttpPools, { extractor, ...bounds }: EmulationDeps): ChatProvider {
  return {
    traits: {
      name: 'openai-compatible',
      family: 'openai',
      purpose: 'chat',
      conversationState: 'replayed',
      supports: ['text', 'images', 'conversation_files', 'projects', 'project_files'],
      needsSecret: false,
      trustsNamedModels: true,
    },
    chat: (turn, sink) => chat(pools, bounds, turn, sink),
    connect: async (connection) => ({ models: await listModels(pools, connection), secret: connection.secret }),
    files: createEmulatedFileOperations(extractor),
    projects: createEmulatedProjectOperations((file) => prepareFile(extractor, file)),
    test: async (connection) => ({ models: await listModels(pools, connection) }),
    probe: (connection, model) => probe(pools, connection, model),
  };
}

const MESSAGES = [{ role: 'user', content: 'Hi' }];

/** Requests a one-token answer to verify that the model answers. Throws a coded error, within 20 s. */
async function probe(pools: HttpPools, connection: UpstreamConnection, model: string): Promise<void> {
  try {
    await ask(pools, connection, { model, messages: MESSAGES, max_tokens: 1 });
  } catch (error) {
    // Reasoning models accept only the newer parameter, and need some tokens for reasoning.
    if (!(error instanceof GatewayError) || error.condition !== 'PROVIDER_REJECTED_REQUEST') throw error;
    await ask(pools, connection, { model, messages: MESSAGES, max_completion_tokens: 16 });
  }
}

async function ask(pools: HttpPools, connection: UpstreamConnection, body: object): Promise<void> {
  const answer = await pools.requestJson(connection.baseUrl, '/chat/completions', {
    method: 'POST',
    headers: toAuthorizationHeader(connection),
    body,
  });
  if (isErrorObject(answer)) throw toBodyError(answer, connection.secret);
  parseChatCompletion(answer);
}
