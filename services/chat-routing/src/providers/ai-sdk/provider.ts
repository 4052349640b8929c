import { emulatedFiles } from '../openai-compatible/files.ts';
import { prepareFile } from '../openai-compatible/prepare-file.ts';
import { emulatedProjects } from '../openai-compatible/projects.ts';
import { type Emulation } from '../openai-compatible/provider.ts';
import { type Pools } from '../pools.ts';
import { type ChatProvider } from '../provider.ts';
import { chat } from './chat.ts';
import { readsType, type SdkKind } from './kind.ts';

/** Creates a chat provider on top of the AI SDK. Stateless: the history is replayed. The SDK's package is loaded with the first turn. */
export function aiSdk(pools: Pools, { extractor, ...bounds }: Emulation, kind: SdkKind): ChatProvider {
  const reads = (mimeType: string) => readsType(kind, mimeType);
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
    connect: async (connection) => ({ models: await kind.list(connection), secret: connection.secret }),
    test: async (connection) => ({ models: await kind.list(connection) }),
    files: emulatedFiles(extractor, reads),
    projects: emulatedProjects((file) => prepareFile(extractor, file)),
  };
}
