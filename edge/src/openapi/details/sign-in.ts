import { type DetailsByOperationId } from './details.ts';
import { SAMPLE } from './samples.ts';

const SESSION = {
  id: SAMPLE.request,
  user: { id: SAMPLE.user, display_name: 'Ada', email: 'ada@example.com' },
  rights: { instance_role: null, memberships: [{ workspace_id: SAMPLE.workspace, role: 'member' }] },
  ...{ method: 'password', is_strong: false, second_factor_required: false, created_at: SAMPLE.time, expires_at: SAMPLE.later },
  csrf_token: '6y0Zx3m1v2bqJ8Z6xkq6n3Jt4rQ0m9yW2cP1sV5aLk8',
};
const TOKEN = 'Q0m9yW2cP1sV5aLk86y0Zx3m1v2bqJ8Z6xkq6n3Jt4r';
const PASSWORD = 'four words of my own';
const INVITED = { email: 'ada@example.com', workspace_id: SAMPLE.workspace, workspace_role: 'member', instance_role: null };
const INVITATION = {
  id: SAMPLE.run,
  ...INVITED,
  ...{ status: 'open', invited_by: `user:${SAMPLE.user}`, created_at: SAMPLE.time, expires_at: SAMPLE.later, accepted_at: null },
};
const PROFILE = {
  ...{ id: SAMPLE.user, display_name: 'Ada', email: 'ada@example.com', has_password: true, password_changed_at: SAMPLE.time },
  ...{ second_factors: ['totp'], requires_second_factor: false, created_at: SAMPLE.time },
};

/** Descriptions and examples of the operations on sign-in, own sessions and one-time links. */
export const SIGN_IN_DETAILS: DetailsByOperationId = {
  getSignIn: {
    description: 'Which ways there are to sign in, and whether the gateway still waits for its first owner.',
    response: { setup_open: false, methods: ['password'], providers: [], sign_up_domains: [] },
  },
  signIn: {
    description:
      'Answers with the session and its cookie; to a person with a second factor with a token for it. Each failure of an account or a network delays the next attempt.',
    request: { email: 'ada@example.com', password: PASSWORD },
    response: SESSION,
  },
  signOut: { description: 'The session ends on every edge within a second.', response: { sign_out_url: null } },
  listSessions: {
    description: 'Last used first.',
    response: [
      {
        ...{ id: SAMPLE.request, is_current: true, method: 'password', is_strong: false, address: '192.0.2.7', user_agent: 'Mozilla/5.0' },
        ...{ created_at: SAMPLE.time, last_seen_at: SAMPLE.time, expires_at: SAMPLE.later },
      },
    ],
  },
  revokeOtherSessions: { description: 'The session of the request stays.' },
  revokeSession: { description: 'Also the one of the request, which is a sign-out.' },
  getProfile: { description: 'With the second factors that are set up.', response: PROFILE },
  updateProfile: {
    description: 'Email and roles are for an admin to change.',
    request: { display_name: 'Ada' },
    response: PROFILE,
  },
  changePassword: {
    description: 'Every other session ends. This one has a new cookie and a new CSRF token.',
    request: { old_password: PASSWORD, new_password: 'some other words of mine' },
    response: SESSION,
  },
  resetPassword: {
    description: 'Every session of the person ends. It does not sign in.',
    request: { token: TOKEN, password: PASSWORD },
  },
  setUp: {
    description: 'Once, while there is no owner. The person also owns the default workspace.',
    request: { token: TOKEN, email: 'ada@example.com', display_name: 'Ada', password: PASSWORD },
    response: { ...SESSION, method: 'setup', rights: { ...SESSION.rights, instance_role: 'owner' } },
  },
  inspectInvitation: {
    description: 'For a page to show before it is accepted.',
    request: { token: TOKEN },
    response: { ...INVITED, workspace_name: 'Acme', invited_by: 'Grace', has_account: false, expires_at: SAMPLE.later },
  },
  acceptInvitation: {
    description:
      'Signed in with the email of the invitation: the person joins, and the session has a new cookie. As a visitor: makes an account, which needs `display_name` and `password`.',
    request: { token: TOKEN, display_name: 'Ada', password: PASSWORD },
    response: { ...SESSION, method: 'invitation' },
  },
  createSetupLink: {
    description: 'For 24 hours and one use; the one before it ends. Refused once there is an owner.',
    response: { url: `https://parley.example.com/console/setup#${TOKEN}`, expires_at: SAMPLE.later },
  },
  createResetLink: {
    description: 'For 24 hours and one use; the one before it ends. A caller cannot create one for a person with a higher role.',
    response: { url: `https://parley.example.com/console/reset#${TOKEN}`, expires_at: SAMPLE.later },
  },
  listInvitations: { description: 'Of one workspace, or all. Without their links.', response: [INVITATION] },
  createInvitation: {
    description: 'For seven days and one use by the person with this email; an open one of the same email to the same place ends.',
    request: { email: 'ada@example.com', workspace_id: SAMPLE.workspace, workspace_role: 'member' },
    response: { ...INVITATION, url: `https://parley.example.com/console/invitation#${TOKEN}` },
  },
  revokeInvitation: { description: 'Its link ends.' },
};
