import { z } from 'zod';
import { adminToken } from '../../wire/admin-token.ts';
import { apiKey, createdApiKey } from '../../wire/admin.ts';
import { connectFlow, connectProvider } from '../../wire/connect-flow.ts';
import { member } from '../../wire/member.ts';
import { oidcIdentity } from '../../wire/oidc-identity.ts';
import { ownWorkspace } from '../../wire/own-workspace.ts';
import { addedPasskey, passkey, passkeyOptions } from '../../wire/passkey.ts';
import { inspectedInvitation, ownSession, profile, signOutResult, signInOptions } from '../../wire/people.ts';
import { permissionTable } from '../../wire/permissions.ts';
import { addedFactor, recoveryCodes, secondFactors, totpSecret } from '../../wire/second-factors.ts';
import { currentSession } from '../../wire/session.ts';
import { usageByGroup } from '../../wire/usage.ts';
import { idParams, slugParams } from '../admin/fields.ts';
import { updateKeyBody } from '../admin/keys/update.ts';
import { membersQuery } from '../admin/workspaces/members/list.ts';
import { route, type Route } from '../route.ts';
import { createSessionAdminToken } from './admin-token/create.ts';
import { stopAnswer, stopHeaders } from './chat/completions/stop.ts';
import { answerConnectFlow, answerConnectFlowBody } from './connections/flows/answer.ts';
import { createConnectFlow, createConnectFlowBody } from './connections/flows/create.ts';
import { deleteConnectFlow } from './connections/flows/delete.ts';
import { FLOW_ANSWER_ERRORS, FLOW_ERRORS, flowParams, flowQuery, NEW_FLOW_ERRORS } from './connections/flows/fields.ts';
import { getConnectFlow } from './connections/flows/get.ts';
import { listConnectProviders } from './connections/flows/list-providers.ts';
import { changeEvent, changesHeaders, changesQuery, listChanges } from './events/list.ts';
import { firstFactorResponse } from './first-factor.ts';
import { deleteIdentity } from './identities/delete.ts';
import { listIdentities } from './identities/list.ts';
import { identityLink, linkIdentity, linkIdentityBody } from './identities/oidc/link.ts';
import { acceptInvitationBody, acceptInvitation } from './invitations/accept.ts';
import { inspectInvitation, inspectInvitationBody } from './invitations/inspect.ts';
import { createPasskey, createPasskeyBody } from './passkeys/create.ts';
import { deletePasskey } from './passkeys/delete.ts';
import { listPasskeys } from './passkeys/list.ts';
import { createPasskeyOptions } from './passkeys/options.ts';
import { updatePasskeyBody, updatePasskey } from './passkeys/update.ts';
import { changePassword, changePasswordBody } from './password/change.ts';
import { resetPasswordBody, resetPassword } from './password/reset.ts';
import { getPermissions } from './permissions/get.ts';
import { getProfile } from './profile/get.ts';
import { updateProfileBody, updateProfile } from './profile/update.ts';
import { passkeyAssertionBody, secondFactorSignInBody, secondFactorBody } from './second-factors/fields.ts';
import { getSecondFactors } from './second-factors/get.ts';
import { createRecoveryCodes } from './second-factors/recovery-codes/create.ts';
import { confirmTotp, confirmTotpBody } from './second-factors/totp/confirm.ts';
import { createTotp } from './second-factors/totp/create.ts';
import { deleteTotp } from './second-factors/totp/delete.ts';
import { verifySecondFactor } from './second-factors/verify.ts';
import { getCurrentSession } from './session/get.ts';
import { listSessions, sessionsQuery } from './sessions/list.ts';
import { revokeOtherSessions, revokeSession } from './sessions/revoke.ts';
import { setUp, setUpBody } from './setup/create.ts';
import { passwordSignInBody, signIn } from './sign-in/create.ts';
import { getSignIn } from './sign-in/get.ts';
import { logOutByProvider, backChannelLogoutBody } from './sign-in/oidc/back-channel-logout.ts';
import { beginOidcSignIn, oidcSignInQuery } from './sign-in/oidc/begin.ts';
import { finishOidcSignIn, oidcCallbackQuery } from './sign-in/oidc/callback.ts';
import { OIDC_ERRORS } from './sign-in/oidc/fields.ts';
import { signInWithPasskey } from './sign-in/passkey.ts';
import { createSignInOptions } from './sign-in/passkey/options.ts';
import { signInWithSecondFactor } from './sign-in/second-factor.ts';
import { signOut } from './sign-out/create.ts';
import { pageQuery, workspaceParams } from './workspaces/fields.ts';
import { createOwnKey } from './workspaces/keys/create.ts';
import { createOwnKeyBody, ownKeyParams } from './workspaces/keys/fields.ts';
import { listOwnKeys, ownKeysQuery } from './workspaces/keys/list.ts';
import { revokeOwnKey } from './workspaces/keys/revoke.ts';
import { updateOwnKey } from './workspaces/keys/update.ts';
import { listOwnUsage, ownUsageQuery } from './workspaces/keys/usage.ts';
import { listOwnWorkspaces } from './workspaces/list.ts';
import { listWorkspaceMembers } from './workspaces/members/list.ts';
import { leaveWorkspace } from './workspaces/membership/delete.ts';
import { listWorkspaceUsage, workspaceUsageQuery } from './workspaces/usage/list.ts';

/** Error codes of a second factor that is not accepted. */
const SHOWN_FACTOR_ERRORS = ['INVALID_REQUEST', 'LINK_NOT_VALID', 'SIGN_IN_DELAYED', 'SIGN_IN_FAILED'] as const;
/** Access to the setup of second factors, open to a person who must set one up. */
const FACTORS = { access: 'session', allowsWithoutSecondFactor: true } as const;

const SESSION_COOKIE = { 'Set-Cookie': 'The cookie of the session, or its removal.' } as const;

/** A redirect of the browser; with `Accept: text/html` errors are redirects, too. */
const REDIRECT = {
  status: 302,
  responseHeaders: { Location: 'Where the browser goes; for an error of a browser a page with its code.' },
  optionalResponseHeaders: { 'Set-Cookie': 'What binds the sign-in to its browser, or the session that it begins.' },
} as const;

/** The operations of people (`/me`): sign-in for visitors in a browser, the others with a login session. */
// oxfmt-ignore
export const ME_ROUTES: readonly Route[] = [
  route({ method: 'get', path: '/me/v1/session', operationId: 'getCurrentSession', summary: 'Who is signed in', access: 'session', allowsWithoutSecondFactor: true, response: currentSession, handle: getCurrentSession }),
  route({ method: 'get', path: '/me/v1/permissions', operationId: 'getPermissions', summary: 'What each role may do', access: 'session', allowsWithoutSecondFactor: true, response: permissionTable, handle: getPermissions }),
  route({ method: 'get', path: '/me/v1/events', operationId: 'listChanges', summary: 'What changes, as a stream', access: 'session', query: changesQuery, headers: changesHeaders, events: changeEvent, errors: ['PERMISSION_DENIED', 'RATE_LIMIT_EXCEEDED'], handle: listChanges }),

  route({ method: 'post', path: '/me/v1/chat/completions/stop', operationId: 'stopAnswer', summary: 'Stop an answer', access: 'session', headers: stopHeaders, status: 204, handle: stopAnswer }),

  // Accounts that are connected step by step
  route({ method: 'get', path: '/me/v1/connections/providers', operationId: 'listConnectProviders', summary: 'What can be connected', access: 'session', permission: 'connections.write', query: flowQuery, response: z.array(connectProvider), handle: listConnectProviders }),
  route({ method: 'post', path: '/me/v1/connections/flows', operationId: 'createConnectFlow', summary: 'Begin to connect or reconnect an account', access: 'session', permission: 'connections.write', body: createConnectFlowBody, status: 201, response: connectFlow, errors: NEW_FLOW_ERRORS, handle: createConnectFlow }),
  route({ method: 'get', path: '/me/v1/connections/flows/{flow_id}', operationId: 'getConnectFlow', summary: 'What a flow asks for', access: 'session', permission: 'connections.write', params: flowParams, query: flowQuery, response: connectFlow, errors: FLOW_ERRORS, handle: getConnectFlow }),
  route({ method: 'post', path: '/me/v1/connections/flows/{flow_id}', operationId: 'answerConnectFlow', summary: 'Answer a step', access: 'session', permission: 'connections.write', params: flowParams, query: flowQuery, body: answerConnectFlowBody, response: connectFlow, errors: FLOW_ANSWER_ERRORS, handle: answerConnectFlow }),
  route({ method: 'delete', path: '/me/v1/connections/flows/{flow_id}', operationId: 'deleteConnectFlow', summary: 'Give a flow up', access: 'session', permission: 'connections.write', params: flowParams, query: flowQuery, status: 204, errors: FLOW_ERRORS, handle: deleteConnectFlow }),

  // Sign-in, sessions and the own profile
  route({ method: 'get', path: '/me/v1/sign-in', operationId: 'getSignIn', summary: 'What a page of sign-in offers', access: 'visitor', response: signInOptions, handle: getSignIn }),
  route({ method: 'post', path: '/me/v1/sign-in', operationId: 'signIn', summary: 'Sign in with a password', access: 'visitor', body: passwordSignInBody, response: firstFactorResponse, optionalResponseHeaders: SESSION_COOKIE, errors: ['SIGN_IN_FAILED', 'SIGN_IN_DELAYED'], handle: signIn }),
  route({ method: 'post', path: '/me/v1/sign-out', operationId: 'signOut', summary: 'Sign out', access: 'session', allowsWithoutSecondFactor: true, response: signOutResult, responseHeaders: SESSION_COOKIE, handle: signOut }),
  route({ method: 'get', path: '/me/v1/sessions', operationId: 'listSessions', summary: 'List your open sessions', access: 'session', query: sessionsQuery, paged: true, response: z.array(ownSession), handle: listSessions }),
  route({ method: 'delete', path: '/me/v1/sessions', operationId: 'revokeOtherSessions', summary: 'End all your other sessions', access: 'session', status: 204, handle: revokeOtherSessions }),
  route({ method: 'delete', path: '/me/v1/sessions/{id}', operationId: 'revokeSession', summary: 'End one of your sessions', access: 'session', params: idParams, status: 204, optionalResponseHeaders: SESSION_COOKIE, errors: ['NOT_FOUND'], handle: revokeSession }),
  route({ method: 'get', path: '/me/v1/profile', operationId: 'getProfile', summary: 'Your profile', access: 'session', response: profile, handle: getProfile }),
  route({ method: 'patch', path: '/me/v1/profile', operationId: 'updateProfile', summary: 'Rename yourself', access: 'session', body: updateProfileBody, response: profile, handle: updateProfile }),
  route({ method: 'post', path: '/me/v1/password', operationId: 'changePassword', summary: 'Change your password', access: 'session', body: changePasswordBody, response: currentSession, responseHeaders: SESSION_COOKIE, errors: ['SIGN_IN_FAILED', 'SIGN_IN_DELAYED'], handle: changePassword }),

  // Links
  route({ method: 'post', path: '/me/v1/setup', operationId: 'setUp', summary: 'Become the first owner with a setup link', access: 'visitor', body: setUpBody, response: currentSession, responseHeaders: SESSION_COOKIE, errors: ['LINK_NOT_VALID', 'EMAIL_TAKEN'], handle: setUp }),
  route({ method: 'post', path: '/me/v1/invitations/inspect', operationId: 'inspectInvitation', summary: 'Who invites to what', access: 'visitor', body: inspectInvitationBody, response: inspectedInvitation, errors: ['LINK_NOT_VALID'], handle: inspectInvitation }),
  route({ method: 'post', path: '/me/v1/invitations/accept', operationId: 'acceptInvitation', summary: 'Accept an invitation', access: 'visitor', body: acceptInvitationBody, response: currentSession, responseHeaders: SESSION_COOKIE, errors: ['LINK_NOT_VALID', 'EMAIL_TAKEN', 'SECOND_FACTOR_REQUIRED'], handle: acceptInvitation }),
  route({ method: 'post', path: '/me/v1/password/reset', operationId: 'resetPassword', summary: 'Set a password with a link of an admin', access: 'visitor', body: resetPasswordBody, status: 204, errors: ['LINK_NOT_VALID'], handle: resetPassword }),

  // Second factors and passkeys
  route({ method: 'get', path: '/me/v1/second-factors', operationId: 'getSecondFactors', summary: 'Your second factors', ...FACTORS, response: secondFactors, handle: getSecondFactors }),
  route({ method: 'post', path: '/me/v1/second-factors/verify', operationId: 'verifySecondFactor', summary: 'Show a second factor again', ...FACTORS, body: secondFactorBody, response: currentSession, errors: SHOWN_FACTOR_ERRORS, responseHeaders: SESSION_COOKIE, handle: verifySecondFactor }),
  route({ method: 'post', path: '/me/v1/second-factors/totp', operationId: 'createTotp', summary: 'Set up an authenticator app', ...FACTORS, response: totpSecret, handle: createTotp }),
  route({ method: 'post', path: '/me/v1/second-factors/totp/confirm', operationId: 'confirmTotp', summary: 'Confirm the authenticator app', ...FACTORS, body: confirmTotpBody, response: addedFactor, errors: ['NOT_FOUND'], responseHeaders: SESSION_COOKIE, handle: confirmTotp }),
  route({ method: 'delete', path: '/me/v1/second-factors/totp', operationId: 'deleteTotp', summary: 'Remove the authenticator app', ...FACTORS, status: 204, errors: ['NOT_FOUND'], handle: deleteTotp }),
  route({ method: 'post', path: '/me/v1/second-factors/recovery-codes', operationId: 'createRecoveryCodes', summary: 'Make new recovery codes', ...FACTORS, response: recoveryCodes, errors: ['NOT_FOUND'], handle: createRecoveryCodes }),
  route({ method: 'get', path: '/me/v1/passkeys', operationId: 'listPasskeys', summary: 'Your passkeys', ...FACTORS, response: z.array(passkey), handle: listPasskeys }),
  route({ method: 'post', path: '/me/v1/passkeys/options', operationId: 'createPasskeyOptions', summary: 'Begin to add a passkey', ...FACTORS, response: passkeyOptions, errors: ['INVALID_REQUEST'], handle: createPasskeyOptions }),
  route({ method: 'post', path: '/me/v1/passkeys', operationId: 'createPasskey', summary: 'Add a passkey', ...FACTORS, body: createPasskeyBody, status: 201, response: addedPasskey, errors: ['INVALID_REQUEST', 'LINK_NOT_VALID'], responseHeaders: SESSION_COOKIE, handle: createPasskey }),
  route({ method: 'patch', path: '/me/v1/passkeys/{id}', operationId: 'updatePasskey', summary: 'Rename a passkey', ...FACTORS, params: idParams, body: updatePasskeyBody, response: passkey, errors: ['NOT_FOUND'], handle: updatePasskey }),
  route({ method: 'delete', path: '/me/v1/passkeys/{id}', operationId: 'deletePasskey', summary: 'Remove a passkey', ...FACTORS, params: idParams, status: 204, errors: ['NOT_FOUND'], handle: deletePasskey }),
  route({ method: 'post', path: '/me/v1/sign-in/passkey/options', operationId: 'createSignInOptions', summary: 'Begin a sign-in with a passkey', access: 'visitor', response: passkeyOptions, errors: ['INVALID_REQUEST'], handle: createSignInOptions }),
  route({ method: 'post', path: '/me/v1/sign-in/passkey', operationId: 'signInWithPasskey', summary: 'Sign in with a passkey', access: 'visitor', body: passkeyAssertionBody, response: currentSession, errors: ['INVALID_REQUEST', 'LINK_NOT_VALID', 'SIGN_IN_FAILED'], responseHeaders: SESSION_COOKIE, handle: signInWithPasskey }),
  route({ method: 'post', path: '/me/v1/sign-in/second-factor', operationId: 'signInWithSecondFactor', summary: 'Show the second factor of a sign-in', access: 'visitor', body: secondFactorSignInBody, response: currentSession, errors: SHOWN_FACTOR_ERRORS, responseHeaders: SESSION_COOKIE, handle: signInWithSecondFactor }),

  // Sign-in with OpenID Connect providers
  route({ method: 'get', path: '/me/v1/sign-in/oidc/{slug}', operationId: 'beginOidcSignIn', summary: 'Sign in with an OpenID Connect provider', access: 'visitor', throttle: 'rate_limit', params: slugParams, query: oidcSignInQuery, ...REDIRECT, errors: OIDC_ERRORS, handle: beginOidcSignIn }),
  route({ method: 'get', path: '/me/v1/sign-in/oidc/{slug}/callback', operationId: 'finishOidcSignIn', summary: 'Come back from an OpenID Connect provider', access: 'visitor', throttle: 'rate_limit', params: slugParams, query: oidcCallbackQuery, ...REDIRECT, errors: OIDC_ERRORS, handle: finishOidcSignIn }),
  route({ method: 'post', path: '/me/v1/sign-in/oidc/{slug}/back-channel-logout', operationId: 'logOutByProvider', summary: 'End sessions that ended at an OpenID Connect provider', access: 'provider', params: slugParams, body: backChannelLogoutBody, isUrlEncoded: true, errors: ['INVALID_REQUEST', 'NOT_FOUND', 'OIDC_UNAVAILABLE'], handle: logOutByProvider }),
  route({ method: 'get', path: '/me/v1/identities', operationId: 'listIdentities', summary: 'What you sign in with at providers', access: 'session', paged: true, response: z.array(oidcIdentity), handle: listIdentities }),
  route({ method: 'post', path: '/me/v1/identities/oidc/{slug}', operationId: 'linkIdentity', summary: 'Link an identity at a provider', access: 'session', throttle: 'rate_limit', params: slugParams, body: linkIdentityBody, response: identityLink, responseHeaders: { 'Set-Cookie': 'What binds the linking to its browser.' }, errors: OIDC_ERRORS, handle: linkIdentity }),
  route({ method: 'delete', path: '/me/v1/identities/{id}', operationId: 'deleteIdentity', summary: 'Stop signing in with an identity', access: 'session', params: idParams, status: 204, errors: ['NOT_FOUND'], handle: deleteIdentity }),

  // Workspaces, own keys and usage
  route({ method: 'get', path: '/me/v1/workspaces', operationId: 'listOwnWorkspaces', summary: 'List own workspaces', access: 'session', query: pageQuery, paged: true, response: z.array(ownWorkspace), handle: listOwnWorkspaces }),
  route({ method: 'get', path: '/me/v1/workspaces/{workspace_id}/members', operationId: 'listWorkspaceMembers', summary: 'List the members of a workspace', access: 'session', permission: 'members.read', params: workspaceParams, query: membersQuery, paged: true, response: z.array(member), handle: listWorkspaceMembers }),
  route({ method: 'delete', path: '/me/v1/workspaces/{workspace_id}/membership', operationId: 'leaveWorkspace', summary: 'Leave a workspace', access: 'session', permission: 'data.read', params: workspaceParams, status: 204, errors: ['NOT_FOUND', 'LAST_OWNER'], handle: leaveWorkspace }),
  route({ method: 'get', path: '/me/v1/workspaces/{workspace_id}/keys/usage', operationId: 'listOwnUsage', summary: 'Usage of own API keys', access: 'session', permission: 'data.read', params: workspaceParams, query: ownUsageQuery, response: usageByGroup, handle: listOwnUsage }),
  route({ method: 'get', path: '/me/v1/workspaces/{workspace_id}/keys', operationId: 'listOwnKeys', summary: 'List own API keys', access: 'session', permission: 'data.read', params: workspaceParams, query: ownKeysQuery, paged: true, response: z.array(apiKey), handle: listOwnKeys }),
  route({ method: 'post', path: '/me/v1/workspaces/{workspace_id}/keys', operationId: 'createOwnKey', summary: 'Create an own API key, shown once', access: 'session', permission: 'own_keys.write', params: workspaceParams, body: createOwnKeyBody, status: 201, response: createdApiKey, handle: createOwnKey }),
  route({ method: 'patch', path: '/me/v1/workspaces/{workspace_id}/keys/{key_id}', operationId: 'updateOwnKey', summary: 'Rename an own key, or lower its quotas', access: 'session', permission: 'own_keys.write', params: ownKeyParams, body: updateKeyBody, response: apiKey, errors: ['NOT_FOUND'], handle: updateOwnKey }),
  route({ method: 'delete', path: '/me/v1/workspaces/{workspace_id}/keys/{key_id}', operationId: 'revokeOwnKey', summary: 'Revoke an own API key', access: 'session', permission: 'own_keys.write', params: ownKeyParams, response: apiKey, errors: ['NOT_FOUND'], handle: revokeOwnKey }),
  route({ method: 'get', path: '/me/v1/workspaces/{workspace_id}/usage', operationId: 'listWorkspaceUsage', summary: 'Usage, latencies and errors of a workspace by key, connection, model, day or hour', access: 'session', permission: 'usage.read', params: workspaceParams, query: workspaceUsageQuery, response: usageByGroup, media: 'text/csv', optionalResponseHeaders: { 'Content-Disposition': 'A file name, for CSV.' }, handle: listWorkspaceUsage }),

  // The control plane
  route({ method: 'post', path: '/me/v1/admin-token', operationId: 'createSessionAdminToken', summary: 'A token of the control plane for the signed-in person', access: 'session', response: adminToken, handle: createSessionAdminToken }),
];
