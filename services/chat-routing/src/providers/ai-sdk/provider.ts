import { type HttpPools } from '../http-pools.ts';
import { createEmulatedFileOperations } from '../openai-compatible/files.ts';
import { prepareFile } from '../openai-compatible/prepare-file.ts';
import { createEmulatedProjectOperations } from '../openai-compatible/projects.ts';
import { type EmulationDeps } from '../openai-compatible/provider.ts';
import { type ChatProvider } from '../provider.ts';
import { chat } from './chat.ts';
import { isNativeMimeType, type SdkProvider } from './sdk-provider.ts';

/** Creates a chat provider on top of the AI SDK. Stateless: the history is replayed. The SDK's package is loaded with the first turn. */
export function aiSdk(pools: HttpPools, { extractor, ...bounds }: EmulationDeps, kind: SdkProvider): ChatProvider {
  const reads = (mimeType: string) => isNativeMimeType(kind, mimeType);
  return {
    traits: {
      name: kind.name,
      family: kind.family,
      purpose: 'chat',
      conversationState: 'replayed',
      supports: ['text', ...(reads('image/png') ? ['images'] : []), 'conversation_files', 'projects', 'project_files'],
      needsSecret: true,
      trustsNamedModels: false,
      baseUrl: kind.baseUrl,
    },
    chat: (turn, sink) => chat({ pools, kind, ...bounds }, turn, sink),
    connect: async (connection) => ({ models: await kind.listModels(connection), secret: connection.secret }),
    test: async (connection) => ({ models: await kind.listModels(connection) }),
    files: createEmulatedFileOperations(extractor, reads),
    projects: createEmulatedProjectOperations((file) => prepareFile(extractor, file)),
  };
}
