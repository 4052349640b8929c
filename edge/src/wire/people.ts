import { z } from 'zod';
import { type InstanceRole, INSTANCE_ROLES, type WorkspaceRole, WORKSPACE_ROLES } from '../config/roles.ts';
import { type StoredInvitation } from '../store/invitations.ts';
import { type Profile } from '../store/people.ts';
import { type SecondFactorKind } from '../store/second-factors.ts';
import { type StoredSession } from '../store/sessions.ts';
import { toTimestamp, toTimestampOrNull } from './time.ts';

/** The response to a sign-in that needs a second factor. */
export const secondFactorRequired = z
  .object({
    status: z.literal('second_factor_required'),
    token: z.string().meta({ description: 'For `POST /me/v1/sign-in/second-factor`, once and within five minutes.' }),
    methods: z.array(z.enum(['totp', 'passkey', 'recovery_code'])),
  })
  .meta({ id: 'SecondFactorRequired' });

/** The sign-in methods that the sign-in page offers. */
export const signInOptions = z
  .object({
    setup_open: z.boolean().meta({ description: 'The gateway has no owner yet; a setup link makes one.' }),
    methods: z.array(z.enum(['password', 'passkey'])),
    providers: z.array(z.object({ slug: z.string(), name: z.string() })).meta({ description: 'OpenID Connect providers.' }),
    sign_up_domains: z
      .array(z.string())
      .meta({ description: 'Email domains whose people get an account with their first sign-in at a provider.' }),
  })
  .meta({ id: 'SignInOptions' });

/** The response to a sign-out. */
export const signOutResult = z
  .object({ sign_out_url: z.string().nullable().meta({ description: 'Where the browser ends its session at the provider, too.' }) })
  .meta({ id: 'SignedOut' });

/** A login session of the caller, in a list. */
export const ownSession = z
  .object({
    id: z.uuid(),
    is_current: z.boolean(),
    method: z.enum(['password', 'passkey', 'oidc', 'setup', 'invitation']),
    is_strong: z.boolean(),
    address: z.string(),
    user_agent: z.string(),
    created_at: z.iso.datetime(),
    last_seen_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'OwnSession' });

/** The profile of the caller. */
export const profile = z
  .object({
    id: z.uuid(),
    display_name: z.string(),
    email: z.string().nullable(),
    has_password: z.boolean(),
    password_changed_at: z.iso.datetime().nullable(),
    second_factors: z.array(z.enum(['totp', 'passkey'])),
    requires_second_factor: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Profile' });

/** A one-time link, for setup or a password reset, which only this response shows. */
export const oneTimeLink = z.object({ url: z.string(), expires_at: z.iso.datetime() }).meta({ id: 'OneTimeLink' });

const invitedTo = {
  email: z.string(),
  workspace_id: z.uuid().nullable(),
  workspace_role: z.enum(WORKSPACE_ROLES).nullable(),
  instance_role: z.enum(INSTANCE_ROLES).nullable(),
};

/** An invitation in responses, without its link. */
export const invitation = z
  .object({
    id: z.uuid(),
    ...invitedTo,
    status: z.enum(['open', 'accepted', 'revoked', 'expired']),
    invited_by: z.string().meta({ description: '`user:<id>`, `service_account:<id>` or `operator`.' }),
    created_at: z.iso.datetime(),
    expires_at: z.iso.datetime(),
    accepted_at: z.iso.datetime().nullable(),
  })
  .meta({ id: 'Invitation' });

/** A new invitation with its link, which only this response shows. */
export const createdInvitation = invitation.extend({ url: z.string() }).meta({ id: 'CreatedInvitation' });

/** An invitation as the holder of its link sees it. */
export const inspectedInvitation = z
  .object({
    ...invitedTo,
    workspace_name: z.string().nullable(),
    invited_by: z.string().nullable().meta({ description: 'Name of the person who invites; null for the operator.' }),
    has_account: z.boolean().meta({ description: 'A user with this email exists, who signs in and joins; no other user can.' }),
    expires_at: z.iso.datetime(),
  })
  .meta({ id: 'InspectedInvitation' });

/** Returns the response for a sign-in that needs a second factor; recovery codes are always allowed. */
export function toSecondFactorRequired(token: string, factors: readonly SecondFactorKind[]): z.input<typeof secondFactorRequired> {
  return { status: 'second_factor_required', token, methods: [...factors, 'recovery_code'] };
}

/** Converts a session to its JSON form in a list; `currentId` is the caller's session. */
export function toOwnSession(session: StoredSession, currentId: string): z.input<typeof ownSession> {
  return {
    id: session.id,
    is_current: session.id === currentId,
    method: session.method,
    is_strong: session.isStrong,
    address: session.address,
    user_agent: session.userAgent,
    created_at: toTimestamp(session.createdAt),
    last_seen_at: toTimestamp(session.lastSeenAt),
    expires_at: toTimestamp(session.expiresAt),
  };
}

/** Converts a profile to its JSON form. */
export function toProfile(person: Profile, factors: readonly SecondFactorKind[]): z.input<typeof profile> {
  return {
    id: person.id,
    display_name: person.displayName,
    email: person.email,
    has_password: person.hasPassword,
    password_changed_at: toTimestampOrNull(person.passwordChangedAt),
    second_factors: [...factors],
    requires_second_factor: person.requiresSecondFactor,
    created_at: toTimestamp(person.createdAt),
  };
}

/** Converts an invitation to its JSON form. */
export function toInvitation(stored: StoredInvitation): z.input<typeof invitation> {
  return {
    id: stored.id,
    ...toInvitedTo(stored),
    status: statusOf(stored),
    invited_by: stored.invitedBy,
    created_at: toTimestamp(stored.createdAt),
    expires_at: toTimestamp(stored.expiresAt),
    accepted_at: toTimestampOrNull(stored.acceptedAt),
  };
}

/** Converts an invitation to its JSON form for the holder of its link. */
export function toInspectedInvitation(
  stored: StoredInvitation & { workspaceName: string | null },
  { invitedBy, hasAccount }: { invitedBy: string | null; hasAccount: boolean },
): z.input<typeof inspectedInvitation> {
  return {
    ...toInvitedTo(stored),
    workspace_name: stored.workspaceName,
    invited_by: invitedBy,
    has_account: hasAccount,
    expires_at: toTimestamp(stored.expiresAt),
  };
}

function toInvitedTo({ email, workspaceId, workspaceRole, instanceRole }: StoredInvitation): {
  email: string;
  workspace_id: string | null;
  workspace_role: WorkspaceRole | null;
  instance_role: InstanceRole | null;
} {
  return { email, workspace_id: workspaceId, workspace_role: workspaceRole, instance_role: instanceRole };
}

function statusOf({ acceptedAt, revokedAt, expiresAt }: StoredInvitation): z.input<typeof invitation>['status'] {
  if (acceptedAt) return 'accepted';
  if (revokedAt) return 'revoked';
  return expiresAt.getTime() > Date.now() ? 'open' : 'expired';
}
