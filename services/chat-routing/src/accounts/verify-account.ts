import { toGatewayError } from '@parley/protos/errors';
import { type Finding, toFinding, toHealthEffect, isUnlisted } from '../domain/failure.ts';
import { type AnyAccount, isChatAccount } from './account.ts';

/** What an account proved when it was asked. */
export interface Verification {
  finding: Extract<Finding, 'answered' | 'listed'>;
  /** What the upstream lists; empty where it has no list. */
  models: string[];
}

/**
 * Asks an account whether it works, as cheaply as can be: for its models, and for one token where a list is missing, is forbidden, or proves
 * nothing, as for credentials and credit. Throws a coded error.
 */
export async function verifyAccount(account: AnyAccount): Promise<Verification> {
  const { upstream, state } = account;
  const probe = isChatAccount(account) ? account.provider.probe : undefined;
  if (!probe) return { finding: 'listed', ...(await account.provider.test(upstream)) };
  const models = await listModelNames(account);
  if (models && !state.expired && state.openCause !== 'credit') return { finding: 'listed', models };
  try {
    await probe(upstream, account.modelFor('auto') ?? account.row.models[0] ?? 'auto');
    return { finding: 'answered', models: models ?? [] };
  } catch (thrown) {
    // A model that does not take the question says nothing against the account that lists it.
    if (models && toFinding(toGatewayError(thrown)) === 'unproven') return { finding: 'listed', models };
    throw thrown;
  }
}

/** What an account lists; undefined where it has no list, or does not show it. */
async function listModelNames({ provider, upstream }: AnyAccount): Promise<string[] | undefined> {
  try {
    return (await provider.test(upstream)).models;
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (isUnlisted(error) || toHealthEffect(error) === 'forbidden') return undefined;
    throw thrown;
  }
}
