import { GatewayError } from '@parley/protos/errors';

/** Values of a project's `memory_policy`: whose memories the conversations of the project share. */
export const MEMORY_POLICIES = ['provider_default', 'account_connected', 'project_only'] as const;

/** A memory policy name. */
export type MemoryPolicy = (typeof MEMORY_POLICIES)[number];

/**
 * How certain a policy is (ADR 0023). `verified`: the upstream confirms it. `emulated`: the upstream has no memories, and nothing that the
 * gateway does contradicts it. `unavailable`: a different policy was requested, which the upstream does not support. `unverified`: the
 * upstream was not asked.
 */
export type MemoryPolicyStatus = 'verified' | 'emulated' | 'unavailable' | 'unverified';

/** Parses the policy of a request; empty means `provider_default`. Throws INVALID_MEMORY_POLICY. */
export function readMemoryPolicy(text: string): MemoryPolicy {
  if (text === '') return 'provider_default';
  const policy = MEMORY_POLICIES.find((known) => known === text);
  if (policy) return policy;
  throw new GatewayError('INVALID_MEMORY_POLICY', `memory_policy must be one of: ${MEMORY_POLICIES.join(', ')}`, {
    param: 'memory_policy',
  });
}

/** The policy to report for a new project: the one in effect, with status `unavailable` when a different one was requested. */
export function toReportedPolicy(
  asked: MemoryPolicy,
  { memoryPolicy, memoryPolicyStatus }: { memoryPolicy: MemoryPolicy; memoryPolicyStatus: MemoryPolicyStatus },
): { memoryPolicy: MemoryPolicy; memoryPolicyStatus: MemoryPolicyStatus } {
  return { memoryPolicy, memoryPolicyStatus: memoryPolicy === asked ? memoryPolicyStatus : 'unavailable' };
}

/** The policy in effect at an upstream without memories: conversations cannot see others of the account, so never `account_connected`. */
export function toEmulatedPolicy(asked: MemoryPolicy): MemoryPolicy {
  return asked === 'account_connected' ? 'project_only' : asked;
}
