import { describe, expect, it } from '@jest/globals';
import { type InstanceRole } from '../../../config/roles.ts';
import { EMPTY_PRINCIPAL, type Principal } from '../../../middleware/principal.ts';
import { requireGrantableRoles } from './fields.ts';

const WORKSPACE = '01a2b3c4-1f08-7d4c-8e9f-6a5b1c3d7e18';
const as = (instanceRole: InstanceRole): Principal => {
  const rights = { instanceRole, memberships: [] };
  return { ...EMPTY_PRINCIPAL, actor: { kind: 'user', id: 'u', sessionId: 's', address: '127.0.0.1', rights } };
};

describe('who may map groups to roles', () => {
  it.each([
    ['a role for the whole gateway', { group: 'g', instance_role: 'auditor' } as const, 'instance_roles.write'],
    ['owners of a workspace', { group: 'g', workspace_id: WORKSPACE, workspace_role: 'owner' } as const, 'owners.write'],
  ])('gives %s only who could do it by hand', (_what, mapping, permission) => {
    expect(() => requireGrantableRoles(as('owner'), [mapping])).not.toThrow();
    const denied = expect.objectContaining({ condition: 'PERMISSION_DENIED', param: permission });
    expect(() => requireGrantableRoles(as('admin'), [mapping])).toThrow(denied);
    expect(() => requireGrantableRoles(EMPTY_PRINCIPAL, [mapping])).toThrow(denied);
  });

  it('gives members of a workspace who may change them', () => {
    const mapping = { group: 'g', workspace_id: WORKSPACE, workspace_role: 'admin' } as const;
    expect(() => requireGrantableRoles(as('admin'), [mapping])).not.toThrow();
    expect(() => requireGrantableRoles(as('auditor'), [mapping])).toThrow(expect.objectContaining({ param: 'members.write' }));
  });
});
