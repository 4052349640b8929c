import { type Call } from '@parley/kit/rpc/call';
import { readSealedKeyId } from '@parley/kit/secrets/secret-box';
import { type RotateSecretsResponse } from '@parley/protos/routing/v1/routing';
import { type Deps } from '../deps.ts';
import { listSecrets, replaceSecret } from '../store/connections.ts';

/** RPC RotateSecrets: re-encrypts every secret that is encrypted with an older key; returns the number of changed secrets. Idempotent. */
export async function rotateSecrets({ store, secrets, log }: Deps, { caller: { requestId } }: Call): Promise<RotateSecretsResponse> {
  // A secret that cannot be decrypted must not prevent the rotation of the others.
  const open = (id: string, secret: Uint8Array) => {
    try {
      return secrets.open(id, secret);
    } catch (err) {
      log.error({ requestId, connectionId: id, err }, 'the secret of a connection cannot be decrypted');
      return undefined;
    }
  };
  let rotated = 0;
  for (const { id, secret } of await listSecrets(store.database)) {
    if (readSealedKeyId(secret) === secrets.currentKeyId) continue;
    const opened = open(id, secret);
    if (opened !== undefined && (await replaceSecret(store.database, id, secret, secrets.seal(id, opened)))) rotated++;
  }
  log.info({ requestId, rotated, keyId: secrets.currentKeyId }, 'connection secrets rotated');
  return { rotated, keyId: secrets.currentKeyId };
}
