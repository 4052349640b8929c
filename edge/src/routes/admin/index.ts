import { z } from 'zod';
import { actionCohort, actionValidation } from '../../wire/action-document.ts';
import { actionDetail } from '../../wire/action.ts';
import { apiKey, createdApiKey, user, workspace } from '../../wire/admin.ts';
import { adminConnection, createdConnection } from '../../wire/connection.ts';
import { conversationExport } from '../../wire/conversation-export.ts';
import { createdConversation } from '../../wire/conversation.ts';
import { internalProject } from '../../wire/internal-project.ts';
import { adminProject } from '../../wire/project.ts';
import { routeProfile } from '../../wire/route-profile.ts';
import { actionParams, ACTION_ERRORS, pageQuery as actionsQuery } from '../actions/fields.ts';
import { NEW_CONVERSATION_ERRORS, CONVERSATION_ERRORS } from '../conversations/errors.ts';
import { PROJECT_ERRORS, PROJECT_REGISTER_ERRORS } from '../projects/errors.ts';
import { projectsQuery } from '../projects/list.ts';
import { route, type Route } from '../route.ts';
import { addToActionCohort, removeFromActionCohort } from './action-cohort/change.ts';
import { listActionCohort } from './action-cohort/list.ts';
import { actionDocument } from './actions/document.ts';
import { listAdminActions } from './actions/list.ts';
import { publishAction } from './actions/publish.ts';
import { actionChange, updateAction } from './actions/update.ts';
import { validateAction } from './actions/validate.ts';
import { connectionTest, testConnection } from './connections/check.ts';
import { createConnection, newConnection } from './connections/create.ts';
import { connectionRemoval, deleteConnection, removalQuery } from './connections/delete.ts';
import { CONNECTION_UPDATE_ERRORS, CONNECTION_ERRORS, NEW_CONNECTION_ERRORS } from './connections/errors.ts';
import { adminConnectionsQuery, listAdminConnections } from './connections/list.ts';
import { rotateSecrets, rotation } from './connections/rotate-secrets.ts';
import { connectionChange, updateConnection } from './connections/update.ts';
import { exportConversation, exportQuery } from './conversations/export.ts';
import { importConversation, importedConversation } from './conversations/import.ts';
import { idParams, slugParams, workspaceQuery } from './fields.ts';
import { deleteInternalProject } from './internal-projects/delete.ts';
import { internalProjectsQuery, listInternalProjects } from './internal-projects/list.ts';
import { internalProjectBody, putInternalProject } from './internal-projects/put.ts';
import { createKey, newKey } from './keys/create.ts';
import { keysQuery, listKeys } from './keys/list.ts';
import { revokeKey } from './keys/revoke.ts';
import { keyChange, updateKey } from './keys/update.ts';
import { bindProject, projectBinding } from './projects/bind.ts';
import { listAdminProjects } from './projects/list.ts';
import { registeredProject, registerProject } from './projects/register.ts';
import { deleteRouteProfile } from './route-profiles/delete.ts';
import { listRouteProfiles } from './route-profiles/list.ts';
import { profileBody, putRouteProfile } from './route-profiles/put.ts';
import { getStatus, gatewayStatus } from './status/get.ts';
import { createUser, newUser } from './users/create.ts';
import { listUsers } from './users/list.ts';
import { updateUser, userChange } from './users/update.ts';
import { createWorkspace, newWorkspace } from './workspaces/create.ts';
import { listWorkspaces, pageQuery } from './workspaces/list.ts';
import { updateWorkspace, workspaceChange } from './workspaces/update.ts';

/** The operator's surface, one row per operation. */
// prettier-ignore
export const OPERATOR_ROUTES: readonly Route[] = [
  route({ method: 'get', path: '/admin/v1/status', operationId: 'getStatus', summary: 'The gateway at a glance', access: 'operator', query: workspaceQuery, response: gatewayStatus, handle: getStatus }),
  route({ method: 'get', path: '/admin/v1/keys', operationId: 'listKeys', summary: 'List API keys', access: 'operator', query: keysQuery, paged: true, response: z.array(apiKey), handle: listKeys }),
  route({ method: 'post', path: '/admin/v1/keys', operationId: 'createKey', summary: 'Create an API key, shown once', access: 'operator', body: newKey, status: 201, response: createdApiKey, handle: createKey }),
  route({ method: 'patch', path: '/admin/v1/keys/{id}', operationId: 'updateKey', summary: 'Rename a key, or set its quotas', access: 'operator', params: idParams, body: keyChange, response: apiKey, errors: ['NOT_FOUND'], handle: updateKey }),
  route({ method: 'delete', path: '/admin/v1/keys/{id}', operationId: 'revokeKey', summary: 'Revoke an API key', access: 'operator', params: idParams, response: apiKey, errors: ['NOT_FOUND'], handle: revokeKey }),
  route({ method: 'get', path: '/admin/v1/connections', operationId: 'listAdminConnections', summary: 'List connected accounts of a workspace', access: 'operator', query: adminConnectionsQuery, paged: true, response: z.array(adminConnection), handle: listAdminConnections }),
  route({ method: 'post', path: '/admin/v1/connections', operationId: 'createConnection', summary: 'Connect an account', access: 'operator', body: newConnection, status: 201, response: createdConnection, errors: NEW_CONNECTION_ERRORS, handle: createConnection }),
  route({ method: 'post', path: '/admin/v1/connections/rotate-secrets', operationId: 'rotateSecrets', summary: 'Encrypt every secret with the current key', access: 'operator', response: rotation, handle: rotateSecrets }),
  route({ method: 'patch', path: '/admin/v1/connections/{id}', operationId: 'updateConnection', summary: 'Change or reconnect a connection', access: 'operator', params: idParams, query: workspaceQuery, body: connectionChange, response: adminConnection, errors: CONNECTION_UPDATE_ERRORS, handle: updateConnection }),
  route({ method: 'delete', path: '/admin/v1/connections/{id}', operationId: 'deleteConnection', summary: 'Disconnect an account', access: 'operator', params: idParams, query: removalQuery, response: connectionRemoval, errors: CONNECTION_ERRORS, handle: deleteConnection }),
  route({ method: 'post', path: '/admin/v1/connections/{id}/test', operationId: 'testConnection', summary: 'Test a connection', access: 'operator', params: idParams, query: workspaceQuery, response: connectionTest, errors: CONNECTION_ERRORS, handle: testConnection }),
  route({ method: 'get', path: '/admin/v1/route-profiles', operationId: 'listRouteProfiles', summary: 'List route profiles', access: 'operator', query: workspaceQuery, response: z.array(routeProfile), handle: listRouteProfiles }),
  route({ method: 'put', path: '/admin/v1/route-profiles/{slug}', operationId: 'putRouteProfile', summary: 'Create or replace a route profile', access: 'operator', params: slugParams, query: workspaceQuery, body: profileBody, response: routeProfile, handle: putRouteProfile }),
  route({ method: 'delete', path: '/admin/v1/route-profiles/{slug}', operationId: 'deleteRouteProfile', summary: 'Delete a route profile', access: 'operator', params: slugParams, query: workspaceQuery, status: 204, errors: ['ROUTE_PROFILE_NOT_FOUND'], handle: deleteRouteProfile }),
  route({ method: 'get', path: '/admin/v1/projects', operationId: 'listAdminProjects', summary: 'List upstream projects of a workspace’s accounts', access: 'operator', query: projectsQuery.extend(workspaceQuery.shape), paged: true, response: z.array(adminProject), handle: listAdminProjects }),
  route({ method: 'post', path: '/admin/v1/projects', operationId: 'registerProject', summary: 'Register an upstream project', access: 'operator', body: registeredProject, status: 201, response: adminProject, errors: PROJECT_REGISTER_ERRORS, handle: registerProject }),
  route({ method: 'patch', path: '/admin/v1/projects/{id}', operationId: 'bindProject', summary: 'Bind an upstream project, or make it the default one', access: 'operator', params: idParams, query: workspaceQuery, body: projectBinding, response: adminProject, errors: PROJECT_ERRORS, handle: bindProject }),
  route({ method: 'get', path: '/admin/v1/actions', operationId: 'listAdminActions', summary: 'List every action, disabled or not', access: 'operator', query: actionsQuery, paged: true, response: z.array(actionDetail), handle: listAdminActions }),
  route({ method: 'post', path: '/admin/v1/actions', operationId: 'publishAction', summary: 'Publish a version of an action', access: 'operator', body: actionDocument, response: actionDetail, handle: publishAction }),
  route({ method: 'post', path: '/admin/v1/actions/validate', operationId: 'validateAction', summary: 'Validate a document of an action', access: 'operator', body: actionDocument, response: actionValidation, handle: validateAction }),
  route({ method: 'patch', path: '/admin/v1/actions/{slug}', operationId: 'updateAction', summary: 'Enable or disable an action', access: 'operator', params: actionParams, body: actionChange, response: actionDetail, errors: ACTION_ERRORS, handle: updateAction }),
  route({ method: 'get', path: '/admin/v1/action-cohort', operationId: 'listActionCohort', summary: 'List the workspaces that take part in the beta of actions', access: 'operator', response: actionCohort, handle: listActionCohort }),
  route({ method: 'put', path: '/admin/v1/action-cohort/{id}', operationId: 'addToActionCohort', summary: 'Add a workspace to the beta of actions', access: 'operator', params: idParams, status: 204, handle: addToActionCohort }),
  route({ method: 'delete', path: '/admin/v1/action-cohort/{id}', operationId: 'removeFromActionCohort', summary: 'Remove a workspace from the beta of actions', access: 'operator', params: idParams, status: 204, handle: removeFromActionCohort }),
  route({ method: 'get', path: '/admin/v1/internal-projects', operationId: 'listInternalProjects', summary: 'List internal projects', access: 'operator', query: internalProjectsQuery, paged: true, response: z.array(internalProject), handle: listInternalProjects }),
  route({ method: 'put', path: '/admin/v1/internal-projects/{slug}', operationId: 'putInternalProject', summary: 'Create or replace an internal project', access: 'operator', params: slugParams, query: workspaceQuery, body: internalProjectBody, response: internalProject, handle: putInternalProject }),
  route({ method: 'delete', path: '/admin/v1/internal-projects/{slug}', operationId: 'deleteInternalProject', summary: 'Delete an internal project', access: 'operator', params: slugParams, query: workspaceQuery, status: 204, errors: ['INTERNAL_PROJECT_NOT_FOUND'], handle: deleteInternalProject }),
  route({ method: 'get', path: '/admin/v1/conversations/{id}/export', operationId: 'exportConversation', summary: 'Export a conversation for one of its keys', access: 'operator', params: idParams, query: exportQuery, response: conversationExport, errors: [...CONVERSATION_ERRORS, 'NOT_FOUND'], handle: exportConversation }),
  route({ method: 'post', path: '/admin/v1/conversations/import', operationId: 'importConversation', summary: 'Import a conversation from messages', access: 'operator', body: importedConversation, status: 201, response: createdConversation, errors: [...NEW_CONVERSATION_ERRORS, 'NOT_FOUND'], handle: importConversation }),
  route({ method: 'get', path: '/admin/v1/workspaces', operationId: 'listWorkspaces', summary: 'List workspaces', access: 'operator', query: pageQuery, paged: true, response: z.array(workspace), handle: listWorkspaces }),
  route({ method: 'post', path: '/admin/v1/workspaces', operationId: 'createWorkspace', summary: 'Create a workspace', access: 'operator', body: newWorkspace, status: 201, response: workspace, handle: createWorkspace }),
  route({ method: 'patch', path: '/admin/v1/workspaces/{id}', operationId: 'updateWorkspace', summary: 'Rename, enable or disable a workspace, or set its quotas', access: 'operator', params: idParams, body: workspaceChange, response: workspace, errors: ['NOT_FOUND'], handle: updateWorkspace }),
  route({ method: 'get', path: '/admin/v1/users', operationId: 'listUsers', summary: 'List users', access: 'operator', query: pageQuery, paged: true, response: z.array(user), handle: listUsers }),
  route({ method: 'post', path: '/admin/v1/users', operationId: 'createUser', summary: 'Create a user', access: 'operator', body: newUser, status: 201, response: user, handle: createUser }),
  route({ method: 'patch', path: '/admin/v1/users/{id}', operationId: 'updateUser', summary: 'Rename, enable or disable a user', access: 'operator', params: idParams, body: userChange, response: user, errors: ['NOT_FOUND'], handle: updateUser }),
];
