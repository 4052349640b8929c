import { describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { INSTANCE_ROLES, type Rights, WORKSPACE_ROLES } from '../config/roles.ts';
import { hasPermission, hasPermissionAnywhere, type Permission, PERMISSIONS } from './permissions.ts';

const PAGE = new URL('../../../docs/security-model.md', import.meta.url);
const NAMES = Object.keys(PERMISSIONS) as Permission[];

const inWorkspace = (role: Rights['memberships'][number]['role']): Rights => ({
  instanceRole: null,
  memberships: [{ workspaceId: 'w', role }],
});

describe('the table of rights', () => {
  it('is the one in docs/security-model.md', async () => {
    const [, page = ''] = /<!-- permissions: begin -->\n([^]*)<!-- permissions: end -->/.exec(await readFile(PAGE, 'utf8')) ?? [];
    const rows = page.split('\n').flatMap((line) => {
      const [, name, instance = '', workspace = ''] = line.split('|').map((cell) => cell.trim());
      return name?.startsWith('`') ? [[name.slice(1, -1), { instance, workspace }]] : [];
    });
    const written = Object.entries(PERMISSIONS).map(([name, { instance, workspace }]) => [
      name,
      { instance: instance.join(', ') || '–', workspace: workspace.join(', ') || '–' },
    ]);
    expect(rows).toEqual(written);
  });

  it.each(NAMES)('%s counts for the whole gateway only with a role for it, and in a workspace only there', (name) => {
    const { instance, workspace } = PERMISSIONS[name] as { instance: readonly string[]; workspace: readonly string[] };
    for (const instanceRole of INSTANCE_ROLES) {
      const rights = { instanceRole, memberships: [] };
      expect([hasPermission(rights, name), hasPermission(rights, name, 'w')]).toEqual(Array(2).fill(instance.includes(instanceRole)));
    }
    for (const role of WORKSPACE_ROLES) {
      const rights = inWorkspace(role);
      expect([hasPermission(rights, name), hasPermission(rights, name, 'w'), hasPermission(rights, name, 'other')]).toEqual([
        false,
        workspace.includes(role),
        false,
      ]);
      expect(hasPermissionAnywhere(rights, name)).toBe(workspace.includes(role));
    }
  });

  it('lets an auditor change nothing', () => {
    const changes = NAMES.filter((name) => !/\.(?:read|verify|export)$/.test(name));
    expect(changes.filter((name) => hasPermission({ instanceRole: 'auditor', memberships: [] }, name, 'w'))).toEqual([]);
  });

  it('lets a viewer change nothing', () => {
    expect(NAMES.filter((name) => !name.endsWith('.read') && hasPermission(inWorkspace('viewer'), name, 'w'))).toEqual([]);
  });
});
