import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { toEmulatedPolicy } from '../../domain/memory-policy.ts';
import { type Pools } from '../pools.ts';
import { type ProjectFacts, type ProjectOperations, type SourceStatus } from '../project-operations.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { openAi } from './client.ts';
import { withFailures, withoutMissing } from './failures.ts';
import { removeFile, uploadFile } from './files.ts';
import { eachPage } from './lists.ts';

const vectorStore = z.object({ id: z.string().min(1), name: z.string().nullish() });
const storedFile = z.object({ id: z.string().min(1), status: z.enum(['in_progress', 'completed', 'cancelled', 'failed']) });

const STATUSES: Readonly<Record<z.infer<typeof storedFile>['status'], SourceStatus>> = {
  ...{ in_progress: 'processing', completed: 'ready', cancelled: 'failed', failed: 'failed' },
};

/**
 * Project operations on an API without projects: a vector store holds the files and is searched in every turn; the instructions are stored
 * here and sent with every turn. Conversations cannot see each other, so memories are never shared within an account.
 */
export function openAiProjects(pools: Pools): ProjectOperations {
  const stores = (connection: UpstreamConnection) => openAi(pools, connection).vectorStores;
  return {
    memoryPolicies: ['provider_default', 'project_only'],
    create: async (connection, { name, instructions, memoryPolicy }) => {
      const made = await withFailures(stores(connection).create({ name }));
      return { ...toFacts(made), name, instructions, memoryPolicy: toEmulatedPolicy(memoryPolicy) };
    },
    // Instructions are not stored at the upstream.
    update: async (connection, upstreamRef, { name }) => {
      if (name !== undefined) await withFailures(stores(connection).update(upstreamRef, { name }), notFound());
    },
    remove: (connection, upstreamRef) => removeProject(pools, connection, upstreamRef),
    get: async (connection, upstreamRef) => toFacts(await withFailures(stores(connection).retrieve(upstreamRef), notFound())),
    addFile: async (connection, projectRef, file) => {
      const id = await uploadFile(pools, connection, 'assistants', file);
      try {
        const { status } = toFile(await withFailures(stores(connection).files.create(projectRef, { file_id: id }), notFound()));
        return { upstreamRef: id, status: STATUSES[status] };
      } catch (error) {
        // A file outside of the vector store would never be deleted.
        await removeFile(pools, connection, id).catch(() => undefined);
        throw error;
      }
    },
    removeFile: async (connection, projectRef, fileRef) => {
      await withoutMissing(stores(connection).files.delete(fileRef, { vector_store_id: projectRef }));
      await removeFile(pools, connection, fileRef);
    },
    fileStatuses: async (connection, projectRef) =>
      new Map((await toFiles(pools, connection, projectRef)).map(({ id, status }) => [id, STATUSES[status]])),
  };
}

/** Deletes the files of a project, then its vector store: without it, the files could not be found. */
async function removeProject(pools: Pools, connection: UpstreamConnection, upstreamRef: string): Promise<void> {
  const files = await toFiles(pools, connection, upstreamRef).catch((error: unknown) => {
    if (error instanceof GatewayError && error.condition === 'PROJECT_NOT_FOUND') return [];
    throw error;
  });
  for (const { id } of files) await removeFile(pools, connection, id);
  await withoutMissing(openAi(pools, connection).vectorStores.delete(upstreamRef));
}

async function toFiles(pools: Pools, connection: UpstreamConnection, projectRef: string): Promise<z.infer<typeof storedFile>[]> {
  const { files } = openAi(pools, connection).vectorStores;
  const found: z.infer<typeof storedFile>[] = [];
  for await (const page of eachPage(storedFile, (query) => files.list(projectRef, query), notFound())) found.push(...page);
  return found;
}

function notFound(): GatewayError {
  return new GatewayError('PROJECT_NOT_FOUND', 'the account has no such project upstream');
}

function toFacts(body: unknown): ProjectFacts {
  const parsed = vectorStore.safeParse(body);
  if (!parsed.success) throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider did not return the project');
  const { id, name } = parsed.data;
  // The name of a vector store is optional, that of a project is not.
  return { upstreamRef: id, name: name || id, instructions: '', memoryPolicy: 'project_only', memoryPolicyStatus: 'emulated' };
}

function toFile(body: unknown): z.infer<typeof storedFile> {
  const parsed = storedFile.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider did not return the file');
}
