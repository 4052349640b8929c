import { GatewayError } from '@parley/protos/errors';
import { z } from 'zod';
import { emulatedPolicy } from '../../domain/memory-policy.ts';
import { type Pools } from '../pools.ts';
import { type ProjectFacts, type ProjectOperations, type SourceStatus } from '../project-operations.ts';
import { type ProviderAccount } from '../provider-account.ts';
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
 * Projects of an API that has none: a vector store holds the files and is searched in every turn, the instructions are kept here and sent with
 * every turn. No conversation knows of another, so memories are never shared within an account.
 */
export function openAiProjects(pools: Pools): ProjectOperations {
  const stores = (account: ProviderAccount) => openAi(pools, account).vectorStores;
  return {
    memoryPolicies: ['provider_default', 'project_only'],
    create: async (account, { name, instructions, memoryPolicy }) => {
      const made = await withFailures(stores(account).create({ name }));
      return { ...toFacts(made), name, instructions, memoryPolicy: emulatedPolicy(memoryPolicy) };
    },
    // Instructions are not upstream.
    update: async (account, upstreamRef, { name }) => {
      if (name !== undefined) await withFailures(stores(account).update(upstreamRef, { name }), notFound());
    },
    remove: (account, upstreamRef) => removeProject(pools, account, upstreamRef),
    get: async (account, upstreamRef) => toFacts(await withFailures(stores(account).retrieve(upstreamRef), notFound())),
    addFile: async (account, projectRef, file) => {
      const id = await uploadFile(pools, account, 'assistants', file);
      try {
        const { status } = toFile(await withFailures(stores(account).files.create(projectRef, { file_id: id }), notFound()));
        return { upstreamRef: id, status: STATUSES[status] };
      } catch (error) {
        // What belongs to no project would never be deleted.
        await removeFile(pools, account, id).catch(() => undefined);
        throw error;
      }
    },
    removeFile: async (account, projectRef, fileRef) => {
      await withoutMissing(stores(account).files.delete(fileRef, { vector_store_id: projectRef }));
      await removeFile(pools, account, fileRef);
    },
    fileStatuses: async (account, projectRef) =>
      new Map((await toFiles(pools, account, projectRef)).map(({ id, status }) => [id, STATUSES[status]])),
  };
}

/** The files go first: without their project they could not be found. */
async function removeProject(pools: Pools, account: ProviderAccount, upstreamRef: string): Promise<void> {
  const files = await toFiles(pools, account, upstreamRef).catch((error: unknown) => {
    if (error instanceof GatewayError && error.condition === 'PROJECT_NOT_FOUND') return [];
    throw error;
  });
  for (const { id } of files) await removeFile(pools, account, id);
  await withoutMissing(openAi(pools, account).vectorStores.delete(upstreamRef));
}

async function toFiles(pools: Pools, account: ProviderAccount, projectRef: string): Promise<z.infer<typeof storedFile>[]> {
  const { files } = openAi(pools, account).vectorStores;
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
  // A vector store needs no name, a project does.
  return { upstreamRef: id, name: name || id, instructions: '', memoryPolicy: 'project_only', memoryPolicyStatus: 'emulated' };
}

function toFile(body: unknown): z.infer<typeof storedFile> {
  const parsed = storedFile.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new GatewayError('PROVIDER_BAD_ANSWER', 'the provider did not return the file');
}
