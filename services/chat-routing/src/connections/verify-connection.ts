import { toGatewayError } from '@parley/protos/errors';
import { type ProbeResult, toProbeResult, toHealthEffect, isUnlisted } from '../domain/failure.ts';
import { type AnyConnection, isChatConnection } from './connection.ts';

/** What a connection proved when it was asked. */
export interface Verification {
  finding: Extract<ProbeResult, 'answered' | 'listed'>;
  /** What the upstream lists; empty where it has no list. */
  models: string[];
}

/**
 * Asks a connection whether it works, as cheaply as can be: for its models, and for one token where a list is missing, is forbidden, or proves
 * nothing, as for credentials and credit. Throws a coded error.
 */
export async function verifyConnection(connection: AnyConnection): Promise<Verification> {
  const { upstream, state } = connection;
  const probe = isChatConnection(connection) ? connection.provider.probe : undefined;
  if (!probe) return { finding: 'listed', ...(await connection.provider.test(upstream)) };
  const models = await listModelNames(connection);
  if (models && !state.expired && state.openCause !== 'credit') return { finding: 'listed', models };
  try {
    await probe(upstream, connection.modelFor('auto') ?? connection.row.models[0] ?? 'auto');
    return { finding: 'answered', models: models ?? [] };
  } catch (thrown) {
    // A model that does not take the question says nothing against the connection that lists it.
    if (models && toProbeResult(toGatewayError(thrown)) === 'unproven') return { finding: 'listed', models };
    throw thrown;
  }
}

/** What a connection lists; undefined where it has no list, or does not show it. */
async function listModelNames({ provider, upstream }: AnyConnection): Promise<string[] | undefined> {
  try {
    return (await provider.test(upstream)).models;
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (isUnlisted(error) || toHealthEffect(error) === 'forbidden') return undefined;
    throw thrown;
  }
}
