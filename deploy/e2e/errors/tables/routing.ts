import { exhaustAccount, spoilAccount } from '../../harness/spoil-account.ts';
import { inATenant } from '../error-context.ts';
import { type Provoke, type Row } from '../row.ts';

const UPSTREAM_PROJECT = 'X-Service-Upstream-Project';
const INTERNAL_PROJECT = 'X-Service-Project';
const PROFILE = 'X-Service-Route-Profile';
const ACCOUNT = 'X-Service-Upstream-Account';

/** A turn with a routing header whose value means nothing. */
const naming = (header: string): Provoke => inATenant(({ chat }) => chat({ headers: { [header]: 'nowhere' } }));

/** Which account and project a turn goes to. */
export const ROUTING: readonly Row[] = [
  ['ACCOUNT_NOT_CONNECTED', 'a workspace without accounts', inATenant(({ chat }) => chat(), [])],
  [
    'ACCOUNT_NOT_ACTIVE',
    'a disabled account is chosen',
    inATenant(async ({ chat, operator, tenant, account }) => {
      await operator.updateConnection(account().connectionId, tenant.workspaceId, { enabled: false });
      return chat({ account: account().label });
    }),
    { param: ACCOUNT },
  ],
  [
    'ACCOUNT_REAUTH_REQUIRED',
    'a turn finds its session expired',
    inATenant(async ({ chat, fault }) => {
      await fault('session_expired');
      return chat();
    }),
  ],
  [
    'ACCOUNT_REAUTH_REQUIRED_SELECTED',
    'an account known to be expired is chosen',
    inATenant(async ({ chat, gateway, tenant, account }) => {
      await spoilAccount(gateway, tenant, 'session_expired');
      return chat({ account: account().label });
    }),
  ],
  [
    'NO_HEALTHY_SESSION',
    'every account is cooling down',
    inATenant(async ({ chat, gateway, tenant }) => {
      await exhaustAccount(gateway, tenant);
      return chat();
    }),
    { waits: true },
  ],
  ['CONNECTION_NOT_FOUND', 'an account that there is not', naming(ACCOUNT), { param: ACCOUNT }],
  ['UPSTREAM_PROJECT_NOT_FOUND', 'an upstream project that there is not', naming(UPSTREAM_PROJECT), { param: UPSTREAM_PROJECT }],
  [
    'UPSTREAM_PROJECT_OUT_OF_SCOPE',
    'an upstream project that the workspace is not bound to',
    inATenant(async ({ chat, operator, tenant, project }) => {
      const { id, slug } = await project();
      await operator.bindProject(id, tenant.workspaceId, { bound: false });
      return chat({ headers: { [UPSTREAM_PROJECT]: slug } });
    }),
    { param: UPSTREAM_PROJECT },
  ],
  [
    'UPSTREAM_PROJECT_NOT_CONFIGURED',
    'an internal project that forbids the general space',
    inATenant(async ({ chat, operator, tenant, anotherKey }) => {
      await operator.putInternalProject('strict', tenant.workspaceId, { name: 'Strict', policy: 'require_project' });
      return chat({ key: await anotherKey({ project: 'strict' }) });
    }),
    { param: UPSTREAM_PROJECT },
  ],
  ['INTERNAL_PROJECT_NOT_FOUND', 'an internal project that there is not', naming(INTERNAL_PROJECT), { param: INTERNAL_PROJECT }],
  [
    'INTERNAL_PROJECT_OUT_OF_SCOPE',
    'a key that is bound to another internal project',
    inATenant(async ({ chat, operator, tenant, anotherKey }) => {
      for (const slug of ['mine', 'theirs']) {
        await operator.putInternalProject(slug, tenant.workspaceId, { name: slug, policy: 'allow_general' });
      }
      return chat({ key: await anotherKey({ project: 'mine' }), headers: { [INTERNAL_PROJECT]: 'theirs' } });
    }),
    { param: INTERNAL_PROJECT },
  ],
  [
    'WRONG_PROJECT_HEADER',
    'an upstream project in the header of the internal ones',
    inATenant(async ({ chat, project }) => chat({ headers: { [INTERNAL_PROJECT]: (await project()).slug } })),
    { param: INTERNAL_PROJECT },
  ],
  ['ROUTE_PROFILE_NOT_FOUND', 'a profile that there is not', naming(PROFILE), { param: PROFILE }],
];
