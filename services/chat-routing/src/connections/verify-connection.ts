import { toGatewayError } from '@parley/protos/errors';
import { type ProbeResult, toProbeResult, toHealthEffect, isModelListMissing } from '../domain/error-effects.ts';
import { type AnyConnection, isChatConnection } from './connection.ts';

/** Result of a successful verification. */
export interface Verification {
  finding: Extract<ProbeResult, 'answered' | 'listed'>;
  /** The models that the upstream lists; empty when it has no list. */
  models: string[];
}

/**
 * Verifies that a connection works, as cheaply as possible: requests its model list, and a one-token answer when the list is missing,
 * forbidden or proves too little (after expired credentials or spent credit). Throws a coded error.
 */
export async function verifyConnection(connection: AnyConnection): Promise<Verification> {
  const { upstream, state } = connection;
  const probe = isChatConnection(connection) ? connection.provider.probe : undefined;
  if (!probe) return { finding: 'listed', ...(await connection.provider.test(upstream)) };
  const models = await listModelNames(connection);
  if (models && !state.expired && state.openCause !== 'credit') return { finding: 'listed', models };
  try {
    await probe(upstream, connection.resolveModel('auto') ?? connection.row.models[0] ?? 'auto');
    return { finding: 'answered', models: models ?? [] };
  } catch (thrown) {
    // A model that rejects the probe's request does not mean that the connection, which lists it, is broken.
    if (models && toProbeResult(toGatewayError(thrown)) === 'unproven') return { finding: 'listed', models };
    throw thrown;
  }
}

/** The models that a connection lists; undefined when it has no list or forbids it. */
async function listModelNames({ provider, upstream }: AnyConnection): Promise<string[] | undefined> {
  try {
    return (await provider.test(upstream)).models;
  } catch (thrown) {
    const error = toGatewayError(thrown);
    if (isModelListMissing(error) || toHealthEffect(error) === 'forbidden') return undefined;
    throw thrown;
  }
}
