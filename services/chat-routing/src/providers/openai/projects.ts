import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { toEmulatedPolicy } from '../../domain/memory-policy.ts';
import { type HttpPools } from '../http-pools.ts';
import { type UpstreamProjectDetails, type ProjectOperations, type SourceStatus } from '../project-operations.ts';
import { type UpstreamConnection } from '../upstream-connection.ts';
import { createOpenAiClient } from './client.ts';
import { withCodedErrors, ignoreNotFound } from './failures.ts';
import { removeFile, uploadFile } from './files.ts';
import { iteratePages } from './lists.ts';

const vectorStore = z.object({ id: z.string().min(1), name: z.string().nullish() });
const storedFile = z.object({ id: z.string().min(1), status: z.enum(['in_progress', 'completed', 'cancelled', 'failed']) });

const STATUSES: Readonly<Record<z.infer<typeof storedFile>['status'], SourceStatus>> = {
  ...{ in_progress: 'processing', completed: 'ready', cancelled: 'failed', failed: 'failed' },
};

/**
 * Project operations on an API without projects: a vector store holds the files and is searched in every turn; the instructions are stored
 * here and sent with every turn. Conversations cannot see each other, so memories are never shared within an account.
 */
export function createOpenAiProjectOperations(pools: HttpPools): ProjectOperations {
  const stores = (connection: UpstreamConnection) => createOpenAiClient(pools, connection).vectorStores;
  return {
    memoryPolicies: ['provider_default', 'project_only'],
    create: async (connection, { name, instructions, memoryPolicy }) => {
      const made = await withCodedErrors(stores(connection).create({ name }));
      return { ...toFacts(made), name, instructions, memoryPolicy: toEmulatedPolicy(memoryPolicy) };
    },
    // Instructions are not stored at the upstream.
    update: async (connection, upstreamRef, { name }) => {
      if (name !== undefined) await withCodedErrors(stores(connection).update(upstreamRef, { name }), notFound());
    },
    remove: (connection, upstreamRef) => removeProject(pools, connection, upstreamRef),
    get: async (connection, upstreamRef) => toFacts(await withCodedErrors(stores(connection).retrieve(upstreamRef), notFound())),
    addFile: async (connection, projectRef, file) => {
      const id = await uploadFile(pools, connection, 'assistants', file);
      try {
        const { status } = toFile(await withCodedErrors(stores(connection).files.create(projectRef, { file_id: id }), notFound()));
        return { upstreamRef: id, status: STATUSES[status] };
      } catch (error) {
        // A file outside of the vector store would never be deleted.
        await removeFile(pools, connection, id).catch(() => undefined);
        throw error;
      }
    },
    removeFile: async (connection, projectRef, fileRef) => {
      await ignoreNotFound(stores(connection).files.delete(fileRef, { vector_store_id: projectRef }));
      await removeFile(pools, connection, fileRef);
    },
    listFileStatuses: async (connection, projectRef) =>
      new Map((await toFiles(pools, connection, projectRef)).map(({ id, status }) => [id, STATUSES[status]])),
  };
}

/** Deletes the files of a project, then its vector store: without it, the files could not be found. */
async function removeProject(pools: HttpPools, connection: UpstreamConnection, upstreamRef: string): Promise<void> {
  const files = await toFiles(pools, connection, upstreamRef).catch((error: unknown) => {
    if (error instanceof GatewayError && error.condition === 'PROJECT_NOT_FOUND') return [];
    throw error;
  });
  for (const { id } of files) await removeFile(pools, connection, id);
  await ignoreNotFound(createOpenAiClient(pools, connection).vectorStores.delete(upstreamRef));
}

async function toFiles(pools: HttpPools, connection: UpstreamConnection, projectRef: string): Promise<z.infer<typeof storedFile>[]> {
  const { files } = createOpenAiClient(pools, connection).vectorStores;
  const found: z.infer<typeof storedFile>[] = [];
  for await (const page of iteratePages(storedFile, (query) => files.list(projectRef, query), notFound())) found.push(...page);
  return found;
}

function notFound(): GatewayError {
  return new GatewayError('PROJECT_NOT_FOUND', 'the account has no such project upstream');
}

function toFacts(body: unknown): UpstreamProjectDetails {
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
