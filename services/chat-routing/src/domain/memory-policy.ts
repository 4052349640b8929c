import { GatewayError } from '@parley/protos/errors';

/** Whose memories a conversation in a project shares. */
export const MEMORY_POLICIES = ['provider_default', 'account_connected', 'project_only'] as const;

export type MemoryPolicy = (typeof MEMORY_POLICIES)[number];

/**
 * How certain a policy is (ADR 0023). `verified`: the upstream confirms it. `emulated`: the upstream has no memories, and nothing that the gateway
 * does contradicts it. `unavailable`: another one was asked for, which the upstream does not have. `unverified`: the upstream was not asked.
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

/** The policy that is reported for a new project: the one that holds, and `unavailable` where another was asked for. */
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
