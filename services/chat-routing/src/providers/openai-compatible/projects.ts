import { GatewayError } from '@parley/protos/errors';
import { toEmulatedPolicy } from '../../domain/memory-policy.ts';
import { type OutgoingFile } from '../file-operations.ts';
import { type ProjectOperations } from '../project-operations.ts';
import { type PreparedFile } from '../upstream-turn.ts';

/**
 * Project operations for an upstream without projects: everything is stored here and sent with every turn. Conversations cannot see each
 * other, so memories are never shared within an account.
 */
export function createEmulatedProjectOperations(prepare: (file: OutgoingFile) => Promise<PreparedFile>): ProjectOperations {
  return {
    memoryPolicies: ['provider_default', 'project_only'],
    create: async (_account, { name, instructions, memoryPolicy }) => ({
      ...{ upstreamRef: '', name, instructions, memoryPolicyStatus: 'emulated' },
      memoryPolicy: toEmulatedPolicy(memoryPolicy),
    }),
    update: async () => undefined,
    remove: async () => undefined,
    get: async () => {
      throw new GatewayError('PROJECT_NOT_FOUND', 'the provider of this account keeps no projects', { param: 'upstream_reference' });
    },
    addFile: async (_account, _projectRef, file) => {
      // Images of a project are not sent, so they are not stored either.
      const { text, omitted } = await prepare(file);
      return { upstreamRef: '', prepared: { text, omitted }, status: 'ready' };
    },
    removeFile: async () => undefined,
    listFileStatuses: async () => new Map(),
  };
}
