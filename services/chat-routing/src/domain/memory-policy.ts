import { GatewayError } from '@parley/protos/errors';

/** Whose memories a conversation in a project shares (spec §2.4). */
export const MEMORY_POLICIES = ['provider_default', 'account_connected', 'project_only'] as const;

export type MemoryPolicy = (typeof MEMORY_POLICIES)[number];

/**
 * What is known of a policy (docs/adr/0023). `verified`: the upstream confirms it. `emulated`: the upstream has no memories, and nothing that we
 * do contradicts it. `unavailable`: another one was asked for, which cannot be had. `unverified`: nobody has asked the upstream.
 */
export type MemoryPolicyStatus = 'verified' | 'emulated' | 'unavailable' | 'unverified';

/** The policy of a request; empty stands for the provider's own. Throws INVALID_MEMORY_POLICY. */
export function readMemoryPolicy(text: string): MemoryPolicy {
  if (text === '') return 'provider_default';
  const policy = MEMORY_POLICIES.find((known) => known === text);
  if (policy) return policy;
  throw new GatewayError('INVALID_MEMORY_POLICY', `memory_policy must be one of: ${MEMORY_POLICIES.join(', ')}`, {
    param: 'memory_policy',
  });
}

/** What to tell of the policy of a new project: what holds, and `unavailable` where that is not what was asked for. */
export function toReportedPolicy(
  asked: MemoryPolicy,
  { memoryPolicy, memoryPolicyStatus }: { memoryPolicy: MemoryPolicy; memoryPolicyStatus: MemoryPolicyStatus },
): { memoryPolicy: MemoryPolicy; memoryPolicyStatus: MemoryPolicyStatus } {
  return { memoryPolicy, memoryPolicyStatus: memoryPolicy === asked ? memoryPolicyStatus : 'unavailable' };
}

/** What holds where an upstream without memories stands in for one that has some: no conversation can know of others of its account. */
export function emulatedPolicy(asked: MemoryPolicy): MemoryPolicy {
  return asked === 'account_connected' ? 'project_only' : asked;
}
