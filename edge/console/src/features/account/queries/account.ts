import { queryOptions } from '@tanstack/react-query';
import { type components } from '../../../api/generated/me.ts';
import { meClient } from '../../../api/me.ts';
import { unwrap } from '../../../api/unwrap.ts';

type Schemas = components['schemas'];
export type Passkey = Schemas['Passkey'];
export type Identity = Schemas['OidcIdentity'];
export type OwnSession = Schemas['OwnSession'];
export type SecondFactors = Schemas['SecondFactors'];

/** The first element of the keys of all queries of the account. */
export const ACCOUNT_QUERY_KEY = 'account';

export const profileQuery = queryOptions({
  queryKey: [ACCOUNT_QUERY_KEY, 'profile'],
  queryFn: () => unwrap(meClient.GET('/me/v1/profile')),
});

export const factorsQuery = queryOptions({
  queryKey: [ACCOUNT_QUERY_KEY, 'factors'],
  queryFn: () => unwrap(meClient.GET('/me/v1/second-factors')),
});

export const passkeysQuery = queryOptions({
  queryKey: [ACCOUNT_QUERY_KEY, 'passkeys'],
  queryFn: () => unwrap(meClient.GET('/me/v1/passkeys')),
});

export const identitiesQuery = queryOptions({
  queryKey: [ACCOUNT_QUERY_KEY, 'identities'],
  queryFn: () => unwrap(meClient.GET('/me/v1/identities')),
});

/** The providers to sign in with, at which an identity can be linked. */
export const signInProvidersQuery = queryOptions({
  queryKey: [ACCOUNT_QUERY_KEY, 'providers'],
  queryFn: async () => (await unwrap(meClient.GET('/me/v1/sign-in'))).providers,
});

export const sessionsQuery = queryOptions({
  queryKey: [ACCOUNT_QUERY_KEY, 'sessions'],
  queryFn: () => unwrap(meClient.GET('/me/v1/sessions', { params: { query: { limit: 200 } } })),
});
