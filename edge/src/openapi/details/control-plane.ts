import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const TOKEN = {
  access_token: 'eyJhbGciOiJFZERTQSIsImtpZCI6…',
  token_type: 'Bearer',
  expires_in: 600,
  expires_at: SAMPLE.later,
};
const ACCOUNT = {
  ...{ id: SAMPLE.user, name: 'terraform', status: 'active', instance_role: null },
  ...{ workspace_id: SAMPLE.workspace, workspace_role: 'admin', expires_at: null, last_used_at: null, created_at: SAMPLE.time },
};
const SECRET = 'parley_sa_6y0Zx3m1v2bqJ8Z6xkq6n3Jt4rQ0m9yW2cP1sV5aLk8';
const MEMBER = { user_id: SAMPLE.user, display_name: 'Ada', email: 'ada@example.com', status: 'active', role: 'member' };

/** Descriptions and examples of the operations on tokens of the control plane, service accounts and members of workspaces. */
export const CONTROL_PLANE_DETAILS: DetailsByOperationId = {
  createAdminToken: {
    description:
      'The token is a JWT that lives 10 minutes and ends before that with the credential it was made of. Wrong credentials are limited by address: from one that sent too many, ' +
      'the right one is refused as well.',
    request: { client_id: SAMPLE.user, client_secret: SECRET },
    response: TOKEN,
  },
  getJwks: {
    description: 'JSON Web Key Set (RFC 7517) with the Ed25519 keys (RFC 8037) that sign tokens now, have signed them, or will.',
    response: {
      keys: [
        {
          ...{ kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo', alg: 'EdDSA', use: 'sig' },
          kid: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
        },
      ],
    },
  },
  createSessionAdminToken: { description: 'Ends with the session, and goes by the roles of its person at each request.', response: TOKEN },
  listServiceAccounts: { description: 'Without a workspace those of all, which needs a role for the whole gateway.', response: [ACCOUNT] },
  createServiceAccount: {
    description:
      'A program that exchanges its id and secret for tokens. It has one role: for the whole gateway, which only an owner gives, or in one workspace.',
    request: { name: 'terraform', workspace_id: SAMPLE.workspace, workspace_role: 'admin' },
    response: { ...ACCOUNT, client_secret: SECRET },
  },
  updateServiceAccount: {
    description: 'By those who may give its role. Tokens of a disabled account are refused within a second.',
    request: { status: 'disabled' },
    response: { ...ACCOUNT, status: 'disabled' },
  },
  rotateServiceAccountSecret: {
    description: 'The old secret and every token that was made of it end within a second.',
    response: { ...ACCOUNT, client_secret: SECRET },
  },
  deleteServiceAccount: { description: 'Its tokens are refused within a second.' },
  listMembers: { description: 'By name.', response: [MEMBER] },
  putMember: {
    description:
      'Owners are made and changed by owners, and a user cannot change their own role. People who are no members yet are added by those who may read all users; others invite them. ' +
      'The keys of who becomes a viewer are revoked.',
    request: { role: 'admin' },
    response: { ...MEMBER, role: 'admin' },
  },
  deleteMember: { description: 'The keys of the person in this workspace are revoked.' },
};
