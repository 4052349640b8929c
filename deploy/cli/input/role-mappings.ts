import { InvalidArgumentError } from 'commander';
import { type GatewayClient } from '../gateway/client.ts';
import { resolveWorkspace } from '../gateway/resolve-resources.ts';
import { collectValues } from './collect-values.ts';

/** The role of the members of a group, as fields of the control plane. */
export interface RoleMappingFields {
  group: string;
  workspace_id?: string;
  workspace_role?: string;
  instance_role?: string;
}

/** The value that removes all mappings. */
const NO_MAPPINGS = 'none';

const WORKSPACE_MAPPING = /^(?<group>.+)=(?<role>owner|admin|member|viewer)@(?<workspace>.+)$/;
const INSTANCE_MAPPING = /^(?<group>.+)=(?<role>owner|admin|auditor)$/;

/** Collects mappings to a role in a workspace. */
export function collectWorkspaceMappings(value: string, before: string[] | undefined): string[] {
  if (value !== NO_MAPPINGS && !WORKSPACE_MAPPING.test(value)) {
    throw new InvalidArgumentError('must be group=role@workspace, where the role is owner, admin, member or viewer.');
  }
  return collectValues(value, before);
}

/** Collects mappings to a role for the whole gateway. */
export function collectInstanceMappings(value: string, before: string[] | undefined): string[] {
  if (!INSTANCE_MAPPING.test(value)) throw new InvalidArgumentError('must be group=role, where the role is owner, admin or auditor.');
  return collectValues(value, before);
}

/** Resolves the workspaces in the mappings of the options; undefined without such an option. @throws CliError for an unknown workspace */
export async function resolveRoleMappings(
  gateway: GatewayClient,
  { map, mapInstance }: { map?: string[] | undefined; mapInstance?: string[] | undefined },
): Promise<RoleMappingFields[] | undefined> {
  if (map === undefined && mapInstance === undefined) return undefined;
  const mappings: RoleMappingFields[] = [];
  for (const one of map ?? []) {
    const { group, role, workspace } = WORKSPACE_MAPPING.exec(one)?.groups ?? {};
    if (group === undefined || role === undefined || workspace === undefined) continue;
    mappings.push({ group, workspace_id: (await resolveWorkspace(gateway, workspace)).id, workspace_role: role });
  }
  for (const one of mapInstance ?? []) {
    const { group, role } = INSTANCE_MAPPING.exec(one)?.groups ?? {};
    if (group !== undefined && role !== undefined) mappings.push({ group, instance_role: role });
  }
  return mappings;
}
