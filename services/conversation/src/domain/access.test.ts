import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@parley/protos/common/v1/caller';
import { canContinue, continuable, isOwnWork } from './access.ts';

const caller: Caller = { workspaceId: 'w1', keyId: 'k1', userId: 'u1', scopes: [], requestId: '' };
const system: Caller = { ...caller, workspaceId: '', keyId: '', userId: '' };
const mine = { workspaceId: 'w1', ownerKeyId: 'k1', deletedAt: null };

describe('access to a conversation', () => {
  it.each([
    ['the owning key', caller, true],
    ['another key of the workspace', { ...caller, keyId: 'k2' }, false],
    ['the same key id in another workspace', { ...caller, workspaceId: 'w2' }, false],
    ['another key of the same user', { ...caller, keyId: 'k2', userId: 'u1' }, false],
    ['a caller without a key', { ...caller, keyId: '' }, false],
    ['a service that acts for itself', system, false],
  ])('%s', (_name, who, allowed) => {
    expect(canContinue(mine, who)).toBe(allowed);
  });

  it('belongs to nobody when its owner is empty', () => {
    expect(canContinue({ workspaceId: '', ownerKeyId: '', deletedAt: null }, system)).toBe(false);
  });

  it('tells what is missing from what is denied, and what was deleted from neither', () => {
    expect(continuable(mine, caller)).toBe(mine);
    expect(() => continuable(undefined, caller)).toThrow(expect.objectContaining({ condition: 'CONVERSATION_NOT_FOUND' }));
    expect(() => continuable({ ...mine, deletedAt: new Date() }, { ...caller, keyId: 'k2' })).toThrow(
      expect.objectContaining({ condition: 'CONVERSATION_NOT_FOUND' }),
    );
    expect(() => continuable(mine, { ...caller, keyId: 'k2' })).toThrow(
      expect.objectContaining({ condition: 'CONVERSATION_ACCESS_DENIED' }),
    );
  });

  it('knows a service’s own work', () => {
    expect([isOwnWork(system), isOwnWork(caller), isOwnWork({ ...system, workspaceId: 'w1' })]).toEqual([true, false, false]);
  });
});
