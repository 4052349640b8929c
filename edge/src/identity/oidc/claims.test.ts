import { describe, expect, it } from '@jest/globals';
import { toDisplayName, listGroups, hasTwoFactors, canSignUp, findVerifiedEmail } from './claims.ts';
import { mapGroupsToRoles } from './map-groups-to-roles.ts';

describe('claims', () => {
  it.each([
    ['a list', { groups: ['a', 1, 'b'] }, 'groups', ['a', 'b']],
    ['one text', { groups: 'a' }, 'groups', ['a']],
    ['a path', { realm_access: { roles: ['a'] } }, 'realm_access.roles', ['a']],
    ['a name with dots', { 'https://x.example/groups': ['a'] }, 'https://x.example/groups', ['a']],
    ['nothing', {}, 'groups', []],
    ['what every object has', {}, 'constructor.name', []],
  ])('have the groups of %s', (_what, claims, claim, groups) => {
    expect(listGroups({ sub: '1', ...claims }, claim)).toEqual(groups);
  });

  it('have an email only where it was verified', () => {
    const email = 'Ada@Example.com';
    expect([true, 'true', false, undefined].map((email_verified) => findVerifiedEmail({ sub: '1', email, email_verified }))).toEqual([
      'ada@example.com',
      'ada@example.com',
      null,
      null,
    ]);
    expect(findVerifiedEmail({ sub: '1', email: 'no email', email_verified: true })).toBeNull();
  });

  it('have a name', () => {
    expect(toDisplayName({ sub: '1', name: ' Ada\u0000 L ', email: 'a@b.c' })).toBe('Ada  L');
    expect(toDisplayName({ sub: '1', name: '', email: 'a@b.c' })).toBe('a@b.c');
    expect(toDisplayName({ sub: '1' })).toBe('A person');
  });

  it('say whether two factors were shown', () => {
    expect([{ amr: ['pwd', 'mfa'] }, { acr: 'phr' }].every((claims) => hasTwoFactors({ sub: '1', ...claims }))).toBe(true);
    expect([{}, { amr: ['pwd'] }, { amr: 'mfa' }, { acr: '1' }].some((claims) => hasTwoFactors({ sub: '1', ...claims }))).toBe(false);
  });

  it.each([
    [[], null, true],
    [['example.com'], 'ada@example.com', true],
    [['example.com'], null, false],
    [['example.com'], 'ada@evil-example.com', false],
    [['example.com'], 'ada@example.com@evil.example', false],
  ])('of the domains %j let %s sign up: %s', (domains, email, may) => {
    expect(canSignUp(domains, email)).toBe(may);
  });
});

describe('roles by groups', () => {
  const mappings = [
    { group: 'staff', workspace_id: 'w1', workspace_role: 'viewer' },
    { group: 'leads', workspace_id: 'w1', workspace_role: 'admin' },
    { group: 'staff', workspace_id: 'w2', workspace_role: 'member' },
    { group: 'root', instance_role: 'owner' },
    { group: 'audit', instance_role: 'auditor' },
  ] as const;

  it('are the ones that may most', () => {
    const { roles, instanceRole } = mapGroupsToRoles(mappings, ['staff', 'leads', 'audit', 'root']);
    expect(Object.fromEntries(roles)).toEqual({ w1: 'admin', w2: 'member' });
    expect(instanceRole).toBe('owner');
  });

  it('are decided in the workspaces that mappings name', () => {
    expect(mapGroupsToRoles(mappings, [])).toEqual({ workspaces: ['w1', 'w2'], roles: new Map(), instanceRole: null });
    expect(mapGroupsToRoles(mappings.slice(0, 1), ['other'])).toEqual({ workspaces: ['w1'], roles: new Map() });
  });
});
