import { type Call, toDownstreamInit } from '@parley/kit/rpc/call';
import { type Stub } from '@parley/kit/rpc/client';
import { type ConversationServiceService } from '@parley/protos/conversation/v1/conversation';
import { GatewayError } from '@parley/protos/errors';
import { type Project, type ProjectSource } from '@parley/protos/routing/v1/project';
import { toClientError } from '../conversation/conversation-errors.ts';
import { type FileRow } from '../store/files.ts';
import { findStoredProject, type StoredProject } from '../store/projects.ts';
import { type Store } from '../store/store.ts';

const COUNT_MS = 3_000;

/** Returns the workspace's active project with this id. Throws PROJECT_NOT_FOUND. */
export async function requireStoredProject({ store }: { store: Store }, id: string, { caller }: Call): Promise<StoredProject> {
  const project = await findStoredProject(store.database, caller.workspaceId, id);
  if (!project) throw new GatewayError('PROJECT_NOT_FOUND', 'no such project', { param: 'project_id' });
  return project;
}

/** Converts a project row to its API message, without its files. */
export function toProject(stored: StoredProject, conversationCount = 0): Project {
  const { id, name, slug, status, isDefault, instructions, memoryPolicy, memoryPolicyStatus, connectionId, bound, createdAt, updatedAt } =
    stored;
  return {
    ...{ id, name, slug, status, isDefault, bound, createdAt, updatedAt, conversationCount, sources: [] },
    instructions: instructions ?? undefined,
    effectiveMemoryPolicy: memoryPolicy,
    memoryPolicyStatus,
    upstreamAccountId: connectionId,
  };
}

/** Converts a file row of a project to its API message. */
export function toSource({ id, fileName, status, mimeType, sizeBytes, createdAt, assetId }: FileRow): ProjectSource {
  return { id, sourceType: 'file', title: fileName, status, mimeType, sizeBytes, createdAt, assetId };
}

/** Numbers of conversations by project id. Throws SERVICE_UNAVAILABLE when the conversation service is unavailable. */
export async function countProjectConversations(
  { conversation }: { conversation: Stub<typeof ConversationServiceService> },
  upstreamProjectIds: string[],
  call: Call,
): Promise<ReadonlyMap<string, number>> {
  if (upstreamProjectIds.length === 0) return new Map();
  const { counts } = await conversation
    .countConversations({ upstreamProjectIds }, toDownstreamInit(call, COUNT_MS))
    .catch((error: unknown) => {
      throw call.abortReason ?? toClientError(error);
    });
  return new Map(counts.map(({ upstreamProjectId, conversations }) => [upstreamProjectId, conversations]));
}
