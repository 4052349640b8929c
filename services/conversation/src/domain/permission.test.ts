import { describe, expect, it } from '@jest/globals';
import { type Caller } from '@parley/protos/common/v1/caller';
import fc from 'fast-check';
import { type Permission, type Ownership, listPermissions, isServiceCaller, isOwner, requirePermission, findRole } from './permission.ts';

const caller: Caller = { workspaceId: 'w1', keyId: 'k1', userId: 'u1', scopes: [], requestId: '' };
const system: Caller = { ...caller, workspaceId: '', keyId: '', userId: '' };
const byKey: Ownership = { workspaceId: 'w1', ownerKeyId: 'k1', ownerUserId: 'u1', deletedAt: null };
const byUser: Ownership = { ...byKey, ownerKeyId: null };
const denied: unknown = expect.objectContaining({ condition: 'CONVERSATION_ACCESS_DENIED' });
const missing: unknown = expect.objectContaining({ condition: 'CONVERSATION_NOT_FOUND' });

describe('who owns a conversation', () => {
  it.each([
    ['the owning key', byKey, caller, true],
    ['another key of the workspace', byKey, { ...caller, keyId: 'k2', userId: 'u2' }, false],
    ['another key of the same user', byKey, { ...caller, keyId: 'k2' }, false],
    ['the same key id in another workspace', byKey, { ...caller, workspaceId: 'w2' }, false],
    ['a caller without a key', byKey, { ...caller, keyId: '' }, false],
    ['a service on its own behalf', byKey, system, false],
    ['any key of the owning user after a transfer', byUser, { ...caller, keyId: 'k9' }, true],
    ['the user in another workspace', byUser, { ...caller, workspaceId: 'w2' }, false],
    ['a key without a user, for a conversation without a user', { ...byUser, ownerUserId: '' }, { ...caller, userId: '' }, false],
    ['a caller with empty ids, for a conversation with empty ids', { ...byKey, workspaceId: '', ownerKeyId: '' }, system, false],
  ])('%s', (_name, conversation, who, expected) => {
    expect(isOwner(conversation, who)).toBe(expected);
  });
});

const ids = (prefix: string) => fc.constantFrom('', `${prefix}1`, `${prefix}2`);
const callers = fc.record({
  workspaceId: ids('w'),
  keyId: ids('k'),
  userId: ids('u'),
  scopes: fc.constant<string[]>([]),
  requestId: fc.constant(''),
});
const conversations = fc.record({
  workspaceId: fc.constantFrom('w1', 'w2'),
  ownerKeyId: fc.constantFrom('k1', 'k2', null),
  ownerUserId: fc.constantFrom('u1', 'u2', null),
  deletedAt: fc.constantFrom(null, new Date()),
});
const participation = fc.constantFrom('editor', 'viewer', 'owner', 'other', null);
const permissions: Permission[] = ['read', 'write', 'govern'];

/** The rules again, as one table: who may do what. */
function expected({ workspaceId, ownerKeyId, ownerUserId }: Ownership, who: Caller, participantRole: string | null): Permission[] {
  if (who.keyId === '' || who.workspaceId !== workspaceId) return [];
  if (ownerKeyId === null ? who.userId !== '' && who.userId === ownerUserId : who.keyId === ownerKeyId) return permissions;
  if (who.userId === '') return [];
  return { editor: permissions.slice(0, 2), viewer: permissions.slice(0, 1) }[participantRole ?? ''] ?? [];
}

describe('access by role', () => {
  it('gives owner, editor and viewer their permissions, and others none', () => {
    fc.assert(
      fc.property(
        conversations,
        callers,
        participation,
        fc.constantFrom(...permissions),
        (conversation, who, participantRole, permission) => {
          const may = expected(conversation, who, participantRole);
          expect(listPermissions(findRole(conversation, who, participantRole))).toEqual(may);
          const ask = () => requirePermission(conversation, who, permission, participantRole);
          if (conversation.deletedAt) expect(ask).toThrow(missing);
          else if (may.includes(permission)) expect(ask()).toBe(conversation);
          else expect(ask).toThrow(denied);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('never gives more permissions to a weaker role', () => {
    expect(listPermissions('owner')).toEqual(expect.arrayContaining([...listPermissions('editor')]));
    expect(listPermissions('editor')).toEqual(expect.arrayContaining([...listPermissions('viewer')]));
  });

  it('distinguishes a missing conversation from a denied one', () => {
    expect(() => requirePermission(undefined, caller, 'read', null)).toThrow(missing);
    expect(() => requirePermission({ ...byKey, deletedAt: new Date() }, { ...caller, keyId: 'k2' }, 'read', null)).toThrow(missing);
    expect(() => requirePermission(byKey, { ...caller, keyId: 'k2' }, 'read', null)).toThrow(denied);
  });

  it('recognizes a service on its own behalf', () => {
    expect([isServiceCaller(system), isServiceCaller(caller), isServiceCaller({ ...system, workspaceId: 'w1' })]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
