import { z } from 'zod';
import { actionCohort, actionValidation, actionVersion, publishedActionVersion } from '../../wire/action-document.ts';
import { actionDetail } from '../../wire/action.ts';
import { adminToken, jwks } from '../../wire/admin-token.ts';
import { apiKey, createdApiKey, user, workspace } from '../../wire/admin.ts';
import { auditPage, auditVerification } from '../../wire/audit.ts';
import { adminConnection, createdConnection } from '../../wire/connection.ts';
import { conversationExport } from '../../wire/conversation-export.ts';
import { createdConversation } from '../../wire/conversation.ts';
import { internalProject } from '../../wire/internal-project.ts';
import { member } from '../../wire/member.ts';
import { oidcProvider } from '../../wire/oidc-provider.ts';
import { createdInvitation, invitation, oneTimeLink } from '../../wire/people.ts';
import { adminProject } from '../../wire/project.ts';
import { routeProfile } from '../../wire/route-profile.ts';
import { createdServiceAccount, serviceAccount } from '../../wire/service-account.ts';
import { requestStory, turnPage } from '../../wire/turn-story.ts';
import { usageByGroup } from '../../wire/usage.ts';
import { actionParams, ACTION_ERRORS, pageQuery as actionsQuery } from '../actions/fields.ts';
import { NEW_CONVERSATION_ERRORS, CONVERSATION_ERRORS } from '../conversations/errors.ts';
import { PROJECT_ERRORS, PROJECT_REGISTER_ERRORS } from '../projects/errors.ts';
import { projectsQuery } from '../projects/list.ts';
import { route, type Route } from '../route.ts';
import { addToActionCohort, removeFromActionCohort } from './action-cohort/change.ts';
import { listActionCohort } from './action-cohort/list.ts';
import { actionDocumentBody } from './actions/document.ts';
import { listAdminActions } from './actions/list.ts';
import { publishAction } from './actions/publish.ts';
import { updateActionBody, updateAction } from './actions/update.ts';
import { validateAction } from './actions/validate.ts';
import { getActionVersion, listActionVersions, versionParams } from './actions/versions.ts';
import { auditExportQuery, exportAudit } from './audit/export.ts';
import { auditQuery, listAuditEntries } from './audit/list.ts';
import { verifyAuditLog } from './audit/verify.ts';
import { connectionTestResult, testConnection } from './connections/check.ts';
import { createConnection, createConnectionBody } from './connections/create.ts';
import { connectionDeletionResult, deleteConnection, deleteConnectionQuery } from './connections/delete.ts';
import { CONNECTION_UPDATE_ERRORS, CONNECTION_ERRORS, NEW_CONNECTION_ERRORS } from './connections/errors.ts';
import { getConnection } from './connections/get.ts';
import { adminConnectionsQuery, listAdminConnections } from './connections/list.ts';
import { rotateSecrets, secretRotationResult } from './connections/rotate-secrets.ts';
import { updateConnectionBody, updateConnection } from './connections/update.ts';
import { exportConversation, exportConversationQuery, resolveExportWorkspace } from './conversations/export.ts';
import { importConversation, importConversationBody, resolveImportWorkspace } from './conversations/import.ts';
import { idParams, slugParams, resolvePathWorkspace, workspaceQuery } from './fields.ts';
import { deleteInternalProject } from './internal-projects/delete.ts';
import { internalProjectsQuery, listInternalProjects } from './internal-projects/list.ts';
import { internalProjectBody, putInternalProject } from './internal-projects/put.ts';
import { createInvitation, createInvitationBody } from './invitations/create.ts';
import { invitationsQuery, listInvitations } from './invitations/list.ts';
import { revokeInvitation, resolveInvitationWorkspace } from './invitations/revoke.ts';
import { getJwks } from './jwks/get.ts';
import { createKey, createKeyBody } from './keys/create.ts';
import { getKey } from './keys/get.ts';
import { resolveKeyWorkspace } from './keys/key-workspace.ts';
import { keysQuery, listKeys } from './keys/list.ts';
import { revokeKey } from './keys/revoke.ts';
import { updateKeyBody, updateKey } from './keys/update.ts';
import { oidcProviderTestResult, testOidcProvider } from './oidc-providers/check.ts';
import { createOidcProvider, createOidcProviderBody } from './oidc-providers/create.ts';
import { deleteOidcProvider } from './oidc-providers/delete.ts';
import { listOidcProviders } from './oidc-providers/list.ts';
import { updateOidcProviderBody, updateOidcProvider } from './oidc-providers/update.ts';
import { bindProject, bindProjectBody } from './projects/bind.ts';
import { listAdminProjects } from './projects/list.ts';
import { registerProjectBody, registerProject } from './projects/register.ts';
import { getRequest, REQUEST_ERRORS, requestParams, resolveRequestWorkspace } from './requests/get.ts';
import { deleteRouteProfile } from './route-profiles/delete.ts';
import { listRouteProfiles } from './route-profiles/list.ts';
import { routeProfileBody, putRouteProfile } from './route-profiles/put.ts';
import { createServiceAccount, createServiceAccountBody } from './service-accounts/create.ts';
import { deleteServiceAccount } from './service-accounts/delete.ts';
import { resolveServiceAccountWorkspace } from './service-accounts/fields.ts';
import { listServiceAccounts, serviceAccountsQuery } from './service-accounts/list.ts';
import { rotateServiceAccountSecret } from './service-accounts/rotate-secret.ts';
import { updateServiceAccountBody, updateServiceAccount } from './service-accounts/update.ts';
import { createSetupLink } from './setup-links/create.ts';
import { getStatus, gatewayStatus } from './status/get.ts';
import { createAdminToken, createAdminTokenBody } from './token/create.ts';
import { listTurns, turnsQuery } from './turns/list.ts';
import { listUsageGroups, usageGroupsQuery, resolveUsageWorkspace } from './usage/list.ts';
import { createUser, createUserBody } from './users/create.ts';
import { getUser } from './users/get.ts';
import { listUsers, usersQuery } from './users/list.ts';
import { createResetLink } from './users/reset-link.ts';
import { deleteSecondFactors } from './users/second-factors/delete.ts';
import { updateUser, updateUserBody } from './users/update.ts';
import { createWorkspace, createWorkspaceBody } from './workspaces/create.ts';
import { getWorkspace, oneWorkspaceQuery } from './workspaces/get.ts';
import { listWorkspaces, pageQuery, workspacesQuery } from './workspaces/list.ts';
import { deleteMember } from './workspaces/members/delete.ts';
import { memberParams, workspaceParams } from './workspaces/members/fields.ts';
import { listMembers, membersQuery } from './workspaces/members/list.ts';
import { memberRoleBody, putMember } from './workspaces/members/put.ts';
import { updateWorkspace, updateWorkspaceBody } from './workspaces/update.ts';

/** The routes of the control plane. */
// oxfmt-ignore
export const ADMIN_ROUTES: readonly Route[] = [
  route({ method: 'get', path: '/admin/v1/status', operationId: 'getStatus', summary: 'The gateway at a glance', access: 'admin', permission: 'status.read', query: workspaceQuery, response: gatewayStatus, handle: getStatus }),
  route({ method: 'get', path: '/admin/v1/usage', operationId: 'listUsageGroups', summary: 'Usage, latencies and errors by workspace, key, connection, model, day or hour', access: 'admin', permission: 'usage.read', resolveWorkspace: resolveUsageWorkspace, query: usageGroupsQuery, response: usageByGroup, media: 'text/csv', optionalResponseHeaders: { 'Content-Disposition': 'A file name, for CSV.' }, handle: listUsageGroups }),
  route({ method: 'get', path: '/admin/v1/requests/{request_id}', operationId: 'getRequest', summary: 'What happened to a request', access: 'admin', permission: 'requests.read', resolveWorkspace: resolveRequestWorkspace, params: requestParams, response: requestStory, errors: REQUEST_ERRORS, handle: getRequest }),
  route({ method: 'get', path: '/admin/v1/turns', operationId: 'listTurns', summary: 'List turns of a workspace, or of all', access: 'admin', permission: 'requests.read', query: turnsQuery, response: turnPage, handle: listTurns }),
  route({ method: 'get', path: '/admin/v1/keys', operationId: 'listKeys', summary: 'List API keys', access: 'admin', permission: 'keys.read', query: keysQuery, paged: true, response: z.array(apiKey), handle: listKeys }),
  route({ method: 'post', path: '/admin/v1/keys', operationId: 'createKey', summary: 'Create an API key, shown once', access: 'admin', permission: 'keys.write', body: createKeyBody, status: 201, response: createdApiKey, handle: createKey }),
  route({ method: 'get', path: '/admin/v1/keys/{id}', operationId: 'getKey', summary: 'Get an API key', access: 'admin', permission: 'keys.read', resolveWorkspace: resolveKeyWorkspace, params: idParams, response: apiKey, errors: ['NOT_FOUND'], handle: getKey }),
  route({ method: 'patch', path: '/admin/v1/keys/{id}', operationId: 'updateKey', summary: 'Rename a key, or set its quotas', access: 'admin', permission: 'keys.write', resolveWorkspace: resolveKeyWorkspace, params: idParams, body: updateKeyBody, response: apiKey, errors: ['NOT_FOUND'], handle: updateKey }),
  route({ method: 'delete', path: '/admin/v1/keys/{id}', operationId: 'revokeKey', summary: 'Revoke an API key', access: 'admin', permission: 'keys.write', resolveWorkspace: resolveKeyWorkspace, params: idParams, response: apiKey, errors: ['NOT_FOUND'], handle: revokeKey }),
  route({ method: 'get', path: '/admin/v1/connections', operationId: 'listAdminConnections', summary: 'List connected accounts of a workspace', access: 'admin', permission: 'connections.read', query: adminConnectionsQuery, paged: true, response: z.array(adminConnection), handle: listAdminConnections }),
  route({ method: 'post', path: '/admin/v1/connections', operationId: 'createConnection', summary: 'Connect an account', access: 'admin', permission: 'connections.write', body: createConnectionBody, status: 201, response: createdConnection, errors: NEW_CONNECTION_ERRORS, handle: createConnection }),
  route({ method: 'post', path: '/admin/v1/connections/rotate-secrets', operationId: 'rotateSecrets', summary: 'Encrypt every secret with the current key', access: 'admin', permission: 'secrets.rotate', response: secretRotationResult, handle: rotateSecrets }),
  route({ method: 'get', path: '/admin/v1/connections/{id}', operationId: 'getConnection', summary: 'Get a connection', access: 'admin', permission: 'connections.read', params: idParams, query: workspaceQuery, response: adminConnection, errors: CONNECTION_ERRORS, handle: getConnection }),
  route({ method: 'patch', path: '/admin/v1/connections/{id}', operationId: 'updateConnection', summary: 'Change or reconnect a connection', access: 'admin', permission: 'connections.write', params: idParams, query: workspaceQuery, body: updateConnectionBody, response: adminConnection, errors: CONNECTION_UPDATE_ERRORS, handle: updateConnection }),
  route({ method: 'delete', path: '/admin/v1/connections/{id}', operationId: 'deleteConnection', summary: 'Disconnect an account', access: 'admin', permission: 'connections.write', params: idParams, query: deleteConnectionQuery, response: connectionDeletionResult, errors: CONNECTION_ERRORS, handle: deleteConnection }),
  route({ method: 'post', path: '/admin/v1/connections/{id}/test', operationId: 'testConnection', summary: 'Test a connection', access: 'admin', permission: 'connections.write', params: idParams, query: workspaceQuery, response: connectionTestResult, errors: CONNECTION_ERRORS, handle: testConnection }),
  route({ method: 'get', path: '/admin/v1/route-profiles', operationId: 'listRouteProfiles', summary: 'List route profiles', access: 'admin', permission: 'route_profiles.read', query: workspaceQuery, response: z.array(routeProfile), handle: listRouteProfiles }),
  route({ method: 'put', path: '/admin/v1/route-profiles/{slug}', operationId: 'putRouteProfile', summary: 'Create or replace a route profile', access: 'admin', permission: 'route_profiles.write', params: slugParams, query: workspaceQuery, body: routeProfileBody, response: routeProfile, handle: putRouteProfile }),
  route({ method: 'delete', path: '/admin/v1/route-profiles/{slug}', operationId: 'deleteRouteProfile', summary: 'Delete a route profile', access: 'admin', permission: 'route_profiles.write', params: slugParams, query: workspaceQuery, status: 204, errors: ['ROUTE_PROFILE_NOT_FOUND'], handle: deleteRouteProfile }),
  route({ method: 'get', path: '/admin/v1/projects', operationId: 'listAdminProjects', summary: 'List upstream projects of a workspace’s accounts', access: 'admin', permission: 'upstream_projects.read', query: projectsQuery.extend(workspaceQuery.shape), paged: true, response: z.array(adminProject), handle: listAdminProjects }),
  route({ method: 'post', path: '/admin/v1/projects', operationId: 'registerProject', summary: 'Register an upstream project', access: 'admin', permission: 'upstream_projects.write', body: registerProjectBody, status: 201, response: adminProject, errors: PROJECT_REGISTER_ERRORS, handle: registerProject }),
  route({ method: 'patch', path: '/admin/v1/projects/{id}', operationId: 'bindProject', summary: 'Bind an upstream project, or make it the default one', access: 'admin', permission: 'upstream_projects.write', params: idParams, query: workspaceQuery, body: bindProjectBody, response: adminProject, errors: PROJECT_ERRORS, handle: bindProject }),
  route({ method: 'get', path: '/admin/v1/actions', operationId: 'listAdminActions', summary: 'List every action, disabled or not', access: 'admin', permission: 'actions.read', query: actionsQuery, paged: true, response: z.array(actionDetail), handle: listAdminActions }),
  route({ method: 'post', path: '/admin/v1/actions', operationId: 'publishAction', summary: 'Publish a version of an action', access: 'admin', permission: 'actions.publish', body: actionDocumentBody, response: actionDetail, handle: publishAction }),
  route({ method: 'post', path: '/admin/v1/actions/validate', operationId: 'validateAction', summary: 'Validate a document of an action', access: 'admin', permission: 'actions.read', body: actionDocumentBody, response: actionValidation, handle: validateAction }),
  route({ method: 'patch', path: '/admin/v1/actions/{slug}', operationId: 'updateAction', summary: 'Enable or disable an action', access: 'admin', permission: 'actions.publish', params: actionParams, body: updateActionBody, response: actionDetail, errors: ACTION_ERRORS, handle: updateAction }),
  route({ method: 'get', path: '/admin/v1/actions/{slug}/versions', operationId: 'listActionVersions', summary: 'List what was published of an action', access: 'admin', permission: 'actions.read', params: actionParams, response: z.array(actionVersion), errors: ACTION_ERRORS, handle: listActionVersions }),
  route({ method: 'get', path: '/admin/v1/actions/{slug}/versions/{version}', operationId: 'getActionVersion', summary: 'Get a document of an action as it was published', access: 'admin', permission: 'actions.read', params: versionParams, response: publishedActionVersion, errors: ACTION_ERRORS, handle: getActionVersion }),
  route({ method: 'get', path: '/admin/v1/action-cohort', operationId: 'listActionCohort', summary: 'List the workspaces that take part in the beta of actions', access: 'admin', permission: 'action_cohort.read', response: actionCohort, handle: listActionCohort }),
  route({ method: 'put', path: '/admin/v1/action-cohort/{id}', operationId: 'addToActionCohort', summary: 'Add a workspace to the beta of actions', access: 'admin', permission: 'action_cohort.write', params: idParams, status: 204, handle: addToActionCohort }),
  route({ method: 'delete', path: '/admin/v1/action-cohort/{id}', operationId: 'removeFromActionCohort', summary: 'Remove a workspace from the beta of actions', access: 'admin', permission: 'action_cohort.write', params: idParams, status: 204, handle: removeFromActionCohort }),
  route({ method: 'get', path: '/admin/v1/internal-projects', operationId: 'listInternalProjects', summary: 'List internal projects', access: 'admin', permission: 'internal_projects.read', query: internalProjectsQuery, paged: true, response: z.array(internalProject), handle: listInternalProjects }),
  route({ method: 'put', path: '/admin/v1/internal-projects/{slug}', operationId: 'putInternalProject', summary: 'Create or replace an internal project', access: 'admin', permission: 'internal_projects.write', params: slugParams, query: workspaceQuery, body: internalProjectBody, response: internalProject, handle: putInternalProject }),
  route({ method: 'delete', path: '/admin/v1/internal-projects/{slug}', operationId: 'deleteInternalProject', summary: 'Delete an internal project', access: 'admin', permission: 'internal_projects.write', params: slugParams, query: workspaceQuery, status: 204, errors: ['INTERNAL_PROJECT_NOT_FOUND'], handle: deleteInternalProject }),
  route({ method: 'get', path: '/admin/v1/conversations/{id}/export', operationId: 'exportConversation', summary: 'Export a conversation for one of its keys', access: 'admin', permission: 'conversations.export', resolveWorkspace: resolveExportWorkspace, params: idParams, query: exportConversationQuery, response: conversationExport, errors: [...CONVERSATION_ERRORS, 'NOT_FOUND'], handle: exportConversation }),
  route({ method: 'post', path: '/admin/v1/conversations/import', operationId: 'importConversation', summary: 'Import a conversation from messages', access: 'admin', permission: 'conversations.import', resolveWorkspace: resolveImportWorkspace, body: importConversationBody, status: 201, response: createdConversation, errors: [...NEW_CONVERSATION_ERRORS, 'NOT_FOUND'], handle: importConversation }),
  route({ method: 'get', path: '/admin/v1/workspaces', operationId: 'listWorkspaces', summary: 'List workspaces', access: 'admin', permission: 'workspaces.read', query: workspacesQuery, paged: true, response: z.array(workspace), handle: listWorkspaces }),
  route({ method: 'post', path: '/admin/v1/workspaces', operationId: 'createWorkspace', summary: 'Create a workspace', access: 'admin', permission: 'workspaces.create', body: createWorkspaceBody, status: 201, response: workspace, handle: createWorkspace }),
  route({ method: 'get', path: '/admin/v1/workspaces/{id}', operationId: 'getWorkspace', summary: 'Get a workspace', access: 'admin', permission: 'workspaces.read', resolveWorkspace: resolvePathWorkspace, params: idParams, query: oneWorkspaceQuery, response: workspace, errors: ['NOT_FOUND'], handle: getWorkspace }),
  route({ method: 'patch', path: '/admin/v1/workspaces/{id}', operationId: 'updateWorkspace', summary: 'Rename, enable or disable a workspace, or set its quotas', access: 'admin', permission: 'workspaces.update', resolveWorkspace: resolvePathWorkspace, params: idParams, body: updateWorkspaceBody, response: workspace, errors: ['NOT_FOUND'], handle: updateWorkspace }),
  route({ method: 'get', path: '/admin/v1/users', operationId: 'listUsers', summary: 'List users', access: 'admin', permission: 'users.read', query: usersQuery, paged: true, response: z.array(user), handle: listUsers }),
  route({ method: 'get', path: '/admin/v1/users/{id}', operationId: 'getUser', summary: 'Get a user', access: 'admin', permission: 'users.read', params: idParams, response: user, errors: ['NOT_FOUND'], handle: getUser }),

  // The audit log
  route({ method: 'get', path: '/admin/v1/audit', operationId: 'listAuditEntries', summary: 'List entries of the audit log', access: 'admin', permission: 'audit.read', query: auditQuery, response: auditPage, handle: listAuditEntries }),
  route({ method: 'get', path: '/admin/v1/audit/export', operationId: 'exportAudit', summary: 'Export the audit log as NDJSON', access: 'admin', permission: 'audit.read', query: auditExportQuery, media: 'application/x-ndjson', handle: exportAudit }),
  route({ method: 'get', path: '/admin/v1/audit/verify', operationId: 'verifyAuditLog', summary: 'Check that nothing is missing from the audit log', access: 'admin', permission: 'audit.verify', response: auditVerification, handle: verifyAuditLog }),
  route({ method: 'post', path: '/admin/v1/users/{id}/reset-link', operationId: 'createResetLink', summary: 'Make a link with which a user sets a password', access: 'admin', permission: 'users.write', params: idParams, status: 201, response: oneTimeLink, errors: ['NOT_FOUND'], handle: createResetLink }),
  route({ method: 'delete', path: '/admin/v1/users/{id}/second-factors', operationId: 'deleteSecondFactors', summary: 'Remove the second factors of a user who lost them', access: 'admin', permission: 'users.write', params: idParams, status: 204, errors: ['NOT_FOUND'], handle: deleteSecondFactors }),

  // Setup and invitations
  route({ method: 'post', path: '/admin/v1/setup-links', operationId: 'createSetupLink', summary: 'Make the link for the first owner', access: 'admin', permission: 'instance_roles.write', status: 201, response: oneTimeLink, errors: ['LINK_NOT_VALID'], handle: createSetupLink }),
  route({ method: 'get', path: '/admin/v1/invitations', operationId: 'listInvitations', summary: 'List invitations', access: 'admin', permission: 'invitations.read', query: invitationsQuery, paged: true, response: z.array(invitation), handle: listInvitations }),
  route({ method: 'post', path: '/admin/v1/invitations', operationId: 'createInvitation', summary: 'Invite a person by a link, shown once', access: 'admin', permission: 'invitations.write', body: createInvitationBody, status: 201, response: createdInvitation, handle: createInvitation }),
  route({ method: 'delete', path: '/admin/v1/invitations/{id}', operationId: 'revokeInvitation', summary: 'Revoke an open invitation', access: 'admin', permission: 'invitations.write', resolveWorkspace: resolveInvitationWorkspace, params: idParams, status: 204, errors: ['NOT_FOUND'], handle: revokeInvitation }),
  route({ method: 'post', path: '/admin/v1/users', operationId: 'createUser', summary: 'Create a user', access: 'admin', permission: 'users.write', body: createUserBody, status: 201, response: user, errors: ['EMAIL_TAKEN'], handle: createUser }),

  // OpenID Connect providers
  route({ method: 'get', path: '/admin/v1/oidc-providers', operationId: 'listOidcProviders', summary: 'List OpenID Connect providers', access: 'admin', permission: 'oidc_providers.read', query: pageQuery, paged: true, response: z.array(oidcProvider), handle: listOidcProviders }),
  route({ method: 'post', path: '/admin/v1/oidc-providers', operationId: 'createOidcProvider', summary: 'Add an OpenID Connect provider', access: 'admin', permission: 'oidc_providers.write', body: createOidcProviderBody, status: 201, response: oidcProvider, handle: createOidcProvider }),
  route({ method: 'patch', path: '/admin/v1/oidc-providers/{id}', operationId: 'updateOidcProvider', summary: 'Change, enable or disable an OpenID Connect provider', access: 'admin', permission: 'oidc_providers.write', params: idParams, body: updateOidcProviderBody, response: oidcProvider, errors: ['NOT_FOUND'], handle: updateOidcProvider }),
  route({ method: 'delete', path: '/admin/v1/oidc-providers/{id}', operationId: 'deleteOidcProvider', summary: 'Delete an OpenID Connect provider', access: 'admin', permission: 'oidc_providers.write', params: idParams, status: 204, errors: ['NOT_FOUND'], handle: deleteOidcProvider }),
  route({ method: 'post', path: '/admin/v1/oidc-providers/{id}/test', operationId: 'testOidcProvider', summary: 'Test an OpenID Connect provider', access: 'admin', permission: 'oidc_providers.write', params: idParams, response: oidcProviderTestResult, errors: ['NOT_FOUND'], handle: testOidcProvider }),
  route({ method: 'patch', path: '/admin/v1/users/{id}', operationId: 'updateUser', summary: 'Rename, enable or disable a user, or give a role for the whole gateway', access: 'admin', permission: 'users.write', params: idParams, body: updateUserBody, response: user, errors: ['NOT_FOUND', 'EMAIL_TAKEN', 'LAST_OWNER'], handle: updateUser }),

  // Members of workspaces
  route({ method: 'get', path: '/admin/v1/workspaces/{workspace_id}/members', operationId: 'listMembers', summary: 'List the members of a workspace', access: 'admin', permission: 'members.read', params: workspaceParams, query: membersQuery, paged: true, response: z.array(member), handle: listMembers }),
  route({ method: 'put', path: '/admin/v1/workspaces/{workspace_id}/members/{user_id}', operationId: 'putMember', summary: 'Add a member, or give a member another role', access: 'admin', permission: 'members.write', params: memberParams, body: memberRoleBody, response: member, errors: ['NOT_FOUND', 'LAST_OWNER'], handle: putMember }),
  route({ method: 'delete', path: '/admin/v1/workspaces/{workspace_id}/members/{user_id}', operationId: 'deleteMember', summary: 'End a membership', access: 'admin', permission: 'members.write', params: memberParams, status: 204, errors: ['NOT_FOUND', 'LAST_OWNER'], handle: deleteMember }),

  // Tokens and service accounts
  route({ method: 'post', path: '/admin/v1/token', operationId: 'createAdminToken', summary: 'Exchange the operator key, or the secret of a service account, for a token', access: 'public', body: createAdminTokenBody, response: adminToken, errors: ['SIGN_IN_FAILED', 'SERVICE_UNAVAILABLE'], handle: createAdminToken }),
  route({ method: 'get', path: '/admin/v1/jwks.json', operationId: 'getJwks', summary: 'The keys that verify tokens', access: 'public', response: jwks, errors: ['SERVICE_UNAVAILABLE'], handle: getJwks }),
  route({ method: 'get', path: '/admin/v1/service-accounts', operationId: 'listServiceAccounts', summary: 'List service accounts', access: 'admin', permission: 'service_accounts.read', query: serviceAccountsQuery, paged: true, response: z.array(serviceAccount), handle: listServiceAccounts }),
  route({ method: 'post', path: '/admin/v1/service-accounts', operationId: 'createServiceAccount', summary: 'Create a service account, whose secret is shown once', access: 'admin', permission: 'service_accounts.write', body: createServiceAccountBody, status: 201, response: createdServiceAccount, handle: createServiceAccount }),
  route({ method: 'patch', path: '/admin/v1/service-accounts/{id}', operationId: 'updateServiceAccount', summary: 'Change a service account', access: 'admin', permission: 'service_accounts.write', resolveWorkspace: resolveServiceAccountWorkspace, params: idParams, body: updateServiceAccountBody, response: serviceAccount, errors: ['NOT_FOUND'], handle: updateServiceAccount }),
  route({ method: 'post', path: '/admin/v1/service-accounts/{id}/rotate-secret', operationId: 'rotateServiceAccountSecret', summary: 'Give a service account a new secret, shown once', access: 'admin', permission: 'service_accounts.write', resolveWorkspace: resolveServiceAccountWorkspace, params: idParams, response: createdServiceAccount, errors: ['NOT_FOUND'], handle: rotateServiceAccountSecret }),
  route({ method: 'delete', path: '/admin/v1/service-accounts/{id}', operationId: 'deleteServiceAccount', summary: 'Delete a service account', access: 'admin', permission: 'service_accounts.write', resolveWorkspace: resolveServiceAccountWorkspace, params: idParams, status: 204, errors: ['NOT_FOUND'], handle: deleteServiceAccount }),
];
