import { type DetailsByOperationId } from './details.ts';
import { OPERATOR_DETAILS } from './operator.ts';
import { SAMPLE } from './samples.ts';

const { listKeys, createKey, updateKey, revokeKey, listUsageGroups } = OPERATOR_DETAILS;

/** Descriptions and examples of the operations of people on their workspaces and keys. */
export const WORKSPACE_DETAILS: DetailsByOperationId = {
  listOwnWorkspaces: {
    description: 'The workspaces that the caller is a member of, disabled ones included.',
    response: [{ id: SAMPLE.workspace, name: 'Acme', status: 'active', role: 'member', created_at: SAMPLE.time }],
  },
  listWorkspaceMembers: {
    description: 'Who is in the workspace, as every member sees it.',
    response: [{ user_id: SAMPLE.user, display_name: 'Ada', email: 'ada@example.com', status: 'active', role: 'owner' }],
  },
  leaveWorkspace: {
    description: 'The keys that the caller has in the workspace are revoked. The last owner who can sign in stays.',
  },
  listOwnKeys: { description: 'Never the keys themselves.', response: listKeys?.response },
  createOwnKey: {
    description:
      'The answer is the only place where the key is shown. It carries no more than the role of the caller, and its quotas allow no more than those of the ' +
      'workspace.',
    request: { name: 'assistant', scopes: ['chat', 'conversations'] },
    response: createKey?.response,
  },
  updateOwnKey: {
    description: 'Quotas are only lowered. In effect at every edge within a second.',
    request: { quotas: { requests: '100 per 1 day' } },
    response: updateKey?.response,
  },
  revokeOwnKey: { description: 'Within a second, everywhere.', response: revokeKey?.response },
  listOwnUsage: {
    description:
      'What the caller used in the workspace with own keys and, under the hidden key of the person, by hand; for everybody who may see own keys.',
    response: listUsageGroups?.response,
  },
  listWorkspaceUsage: { ...listUsageGroups, description: 'JSON, or CSV for clients that send `Accept: text/csv` or `?format=csv`.' },
};
