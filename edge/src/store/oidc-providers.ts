import { uuidv7 } from '@parley/kit/ids/uuid';
import { ConfigError } from '@parley/kit/config/read-config';
import { GatewayError } from '@parley/protos/errors';
import { type OidcProviderSettings } from '../config/oidc.ts';
import { type RoleMapping } from '../config/oidc-fields.ts';
import { type AuditEntry, auditStatement } from './audit-log.ts';
import { type Database, runQuery } from './client.ts';
import { type Page } from './keys.ts';
import { type Writer } from './sessions.ts';

/** An OpenID Connect provider as it is stored; the secret of one of the environment is not. */
export interface StoredOidcProvider {
  id: string;
  slug: string;
  name: string;
  issuer: string;
  clientId: string;
  /** Encrypted. */
  clientSecret: Uint8Array | null;
  scopes: string[];
  groupClaim: string | null;
  roleMappings: RoleMapping[];
  allowsSignUp: boolean;
  allowedDomains: string[];
  /** `active` or `disabled`. */
  status: string;
  isFromEnvironment: boolean;
  createdAt: Date;
}

/** A provider that people may sign in with. */
export interface SignInProvider {
  slug: string;
  name: string;
  /** Email domains whose people get an account with their first sign-in; empty where either none or all do. */
  signUpDomains: string[];
}

/** What may be changed of one; its issuer never, as people are known by it. */
export interface OidcProviderChange {
  name?: string | undefined;
  clientId?: string | undefined;
  clientSecret?: Uint8Array<ArrayBuffer> | null | undefined;
  scopes?: string[] | undefined;
  groupClaim?: string | null | undefined;
  roleMappings?: RoleMapping[] | undefined;
  allowsSignUp?: boolean | undefined;
  allowedDomains?: string[] | undefined;
  status?: string | undefined;
}

/** A provider to store. */
export type NewOidcProvider = Omit<StoredOidcProvider, 'clientSecret' | 'isFromEnvironment' | 'createdAt' | 'status'> & {
  clientSecret: Uint8Array<ArrayBuffer> | null;
};

/** Slugs that the environment of this edge names. */
type InEnvironment = readonly string[];

/** Providers by slug. Those that an environment named once and does not name now are kept for its return, and are in no list. */
export async function listOidcProviders(
  db: Database,
  named: InEnvironment,
  page: { limit: number; offset: number },
): Promise<Page<StoredOidcProvider>> {
  const where = inUse(named);
  const [rows, total] = await runQuery(
    db.$transaction([
      db.oidcProvider.findMany({ where, orderBy: { slug: 'asc' }, take: page.limit, skip: page.offset }),
      db.oidcProvider.count({ where }),
    ]),
  );
  return { rows: rows.map(toStored), total };
}

/** The providers that people may sign in with, by slug. */
export async function listActiveOidcProviders(db: Database, named: InEnvironment): Promise<SignInProvider[]> {
  const where = { ...inUse(named), status: 'active' };
  const select = { slug: true, name: true, allowsSignUp: true, allowedDomains: true } as const;
  const rows = await runQuery(db.oidcProvider.findMany({ where, orderBy: { slug: 'asc' }, select }));
  return rows.map(({ slug, name, allowsSignUp, allowedDomains }) => ({ slug, name, signUpDomains: allowsSignUp ? allowedDomains : [] }));
}

/** The provider with this id or slug; null for an unknown one. */
export async function findOidcProvider(
  db: Writer,
  named: InEnvironment,
  which: { id: string } | { slug: string },
): Promise<StoredOidcProvider | null> {
  const row = await runQuery(db.oidcProvider.findFirst({ where: { ...which, ...inUse(named) } }));
  return row && toStored(row);
}

/** Stores a provider. @throws GatewayError VALIDATION_ERROR naming `slug` or `issuer` where another one has it */
export async function insertOidcProvider(
  db: Database,
  provider: NewOidcProvider,
  named: InEnvironment,
  audit: AuditEntry,
): Promise<StoredOidcProvider> {
  return runQuery(
    db.$transaction(async (tx) => {
      await lock(tx);
      const { adopted, problem } = await makeRoom(tx, provider, named);
      if (problem) throw new GatewayError('VALIDATION_ERROR', `another provider has this ${problem}`, { param: problem });
      const data = { ...provider, isFromEnvironment: false, status: 'active' };
      const row = adopted
        ? await tx.oidcProvider.update({ where: { id: adopted }, data: { ...data, id: provider.id } })
        : await tx.oidcProvider.create({ data });
      await auditStatement(tx, audit);
      return toStored(row);
    }),
  );
}

/** Changes a provider that is not of the environment. @throws GatewayError NOT_FOUND */
export async function updateOidcProvider(
  db: Database,
  id: string,
  change: OidcProviderChange,
  audit: AuditEntry,
): Promise<StoredOidcProvider> {
  return runQuery(
    db.$transaction(async (tx) => {
      const { count } = await tx.oidcProvider.updateMany({ where: { id, isFromEnvironment: false }, data: change });
      if (count === 0) throw new GatewayError('NOT_FOUND', 'no such provider', { param: 'id' });
      await auditStatement(tx, audit);
      return toStored(await tx.oidcProvider.findUniqueOrThrow({ where: { id } }));
    }),
  );
}

/** Deletes a provider that is not of the environment, and with it who its people are. @throws GatewayError NOT_FOUND */
export async function deleteOidcProvider(db: Database, id: string, audit: AuditEntry): Promise<void> {
  await runQuery(
    db.$transaction(async (tx) => {
      const { count } = await tx.oidcProvider.deleteMany({ where: { id, isFromEnvironment: false } });
      if (count === 0) throw new GatewayError('NOT_FOUND', 'no such provider', { param: 'id' });
      await auditStatement(tx, audit);
    }),
  );
}

/** Stores what the environment says; people of an issuer stay who they are. Safe when many edges start at once. @throws ConfigError */
export async function saveEnvironmentProviders(db: Database, providers: readonly OidcProviderSettings[]): Promise<void> {
  if (providers.length === 0) return;
  const named = providers.map(({ slug }) => slug);
  await runQuery(
    db.$transaction(async (tx) => {
      await lock(tx);
      for (const { clientSecret: _kept, ...provider } of providers) {
        const variable = `PARLEY_OIDC_${provider.slug.toUpperCase().replaceAll('-', '_')}_ISSUER`;
        const { adopted, problem } = await makeRoom(tx, provider, named, true);
        if (problem) throw new ConfigError(`bad configuration: ${variable}: another provider has this ${problem}; delete it first`);
        const fields = { ...provider, scopes: [...provider.scopes], allowedDomains: [...provider.allowedDomains] };
        const data = { ...fields, roleMappings: [...provider.roleMappings], isFromEnvironment: true, status: 'active', clientSecret: null };
        if (adopted) await tx.oidcProvider.update({ where: { id: adopted }, data });
        else await tx.oidcProvider.create({ data: { ...data, id: uuidv7() } });
      }
    }),
  );
}

/**
 * Makes a slug and an issuer free that a provider of an earlier environment has: the row of the same issuer is to be used again, so that its people stay who
 * they are, and one of another issuer gives its slug away. Returns which of both is taken. The environment takes over what it named itself.
 */
async function makeRoom(
  tx: Writer,
  { slug, issuer }: { slug: string; issuer: string },
  named: InEnvironment,
  isEnvironment = false,
): Promise<{ adopted?: string; problem?: 'slug' | 'issuer' }> {
  const isFree = (row: { isFromEnvironment: boolean; slug: string }) =>
    row.isFromEnvironment && (isEnvironment || !named.includes(row.slug));
  const holder = await tx.oidcProvider.findUnique({ where: { slug } });
  const same = await tx.oidcProvider.findUnique({ where: { issuer } });
  if (holder && !isFree(holder)) return { problem: 'slug' };
  if (same && !isFree(same)) return { problem: 'issuer' };
  if (holder && holder.id !== same?.id) await tx.oidcProvider.update({ where: { id: holder.id }, data: { slug: `retired-${holder.id}` } });
  return same ? { adopted: same.id } : {};
}

async function lock(tx: Writer): Promise<void> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('edge.oidc_providers', 0))`;
}

function inUse(named: InEnvironment) {
  return { OR: [{ isFromEnvironment: false }, { slug: { in: [...named] } }] };
}

function toStored({ roleMappings, ...row }: Omit<StoredOidcProvider, 'roleMappings'> & { roleMappings: unknown }): StoredOidcProvider {
  return { ...row, roleMappings: roleMappings as RoleMapping[] };
}
