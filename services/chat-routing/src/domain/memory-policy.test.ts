import { describe, expect, it } from '@jest/globals';
import { readMemoryPolicy, toReportedPolicy } from './memory-policy.ts';

describe('a memory policy', () => {
  it.each(['provider_default', 'account_connected', 'project_only'])('may be %s', (policy) => {
    expect(readMemoryPolicy(policy)).toBe(policy);
  });

  it('is the provider’s own unless one is given', () => {
    expect(readMemoryPolicy('')).toBe('provider_default');
  });

  it.each(['x', 'PROJECT_ONLY', ' project_only', 'toString'])('is not %j', (policy) => {
    expect(() => readMemoryPolicy(policy)).toThrow(expect.objectContaining({ condition: 'INVALID_MEMORY_POLICY', param: 'memory_policy' }));
  });

  it('is reported as the upstream returns it where it is the one that was asked for', () => {
    const facts = { memoryPolicy: 'project_only', memoryPolicyStatus: 'verified' } as const;
    expect(toReportedPolicy('project_only', facts)).toEqual(facts);
  });

  it('is reported as unavailable where another one holds, with the one that does', () => {
    expect(toReportedPolicy('account_connected', { memoryPolicy: 'project_only', memoryPolicyStatus: 'emulated' })).toEqual({
      memoryPolicy: 'project_only',
      memoryPolicyStatus: 'unavailable',
    });
  });
});
