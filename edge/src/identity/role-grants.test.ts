import { describe, expect, it } from '@jest/globals';
import { type InstanceRole, type Rights, type WorkspaceRole } from '../config/roles.ts';
import {
  requireNotOutranked,
  requireGrantPermission,
  type RoleGrant,
  higherInstanceRole,
  higherWorkspaceRole,
  canInvite,
} from './role-grants.ts';

const HERE = 'here';
const as = (instanceRole: InstanceRole | null, role?: WorkspaceRole): Rights => ({
  instanceRole,
  memberships: role ? [{ workspaceId: HERE, role }] : [],
});
const to = (workspaceRole: WorkspaceRole, workspaceId = HERE): RoleGrant => ({ workspaceId, workspaceRole });

describe('who gives a role', () => {
  it.each<[string, Rights, RoleGrant, boolean]>([
    ['an admin of the workspace gives a membership', as(null, 'admin'), to('member'), true],
    ['and his own role', as(null, 'admin'), to('admin'), true],
    ['but makes no owner', as(null, 'admin'), to('owner'), false],
    ['an owner of the workspace makes one', as(null, 'owner'), to('owner'), true],
    ['but none elsewhere', as(null, 'owner'), to('owner', 'elsewhere'), false],
    ['and none for the gateway', as(null, 'owner'), { ...to('member'), instanceRole: 'auditor' }, false],
    ['an admin of the gateway makes no owner of a workspace', as('admin'), to('owner'), false],
    ['and none for the gateway', as('admin'), { instanceRole: 'auditor' }, false],
    ['an owner of the gateway gives everything', as('owner'), { ...to('owner'), instanceRole: 'owner' }, true],
    ['a member gives nothing', as(null, 'member'), to('viewer'), false],
    ['an auditor gives nothing', as('auditor'), to('viewer'), false],
  ])('%s', (_name, rights, granted, isAllowed) => {
    expect(canInvite(rights, granted)).toBe(isAllowed);
    // A user who may invite in a workspace needs further permissions only for higher roles.
    if (isAllowed) expect(() => requireGrantPermission(rights, granted)).not.toThrow();
  });

  it('refuses the roles that need more with what they need', () => {
    expect(() => requireGrantPermission(as(null, 'admin'), to('owner'))).toThrow('owners.write');
    expect(() => requireGrantPermission(as('admin'), { instanceRole: 'auditor' })).toThrow('instance_roles.write');
  });
});

describe('who changes a person', () => {
  it.each<[InstanceRole | null, InstanceRole | null, boolean]>([
    ['owner', 'owner', true],
    ['admin', 'owner', false],
    ['admin', 'admin', true],
    ['admin', null, true],
    [null, 'auditor', false],
  ])('as %s one who is %s: %s', (own, instanceRole, isAllowed) => {
    const change = () => requireNotOutranked(as(own), { instanceRole });
    if (isAllowed) expect(change).not.toThrow();
    else expect(change).toThrow('instance_roles.write');
  });
});

it('an invitation takes no role away', () => {
  expect([higherWorkspaceRole('member', 'admin'), higherWorkspaceRole('owner', 'admin'), higherWorkspaceRole('viewer', null)]).toEqual([
    'admin',
    'owner',
    'viewer',
  ]);
  expect([higherInstanceRole(null, 'auditor'), higherInstanceRole('admin', 'auditor'), higherInstanceRole('auditor', 'owner')]).toEqual([
    'auditor',
    'admin',
    'owner',
  ]);
});
