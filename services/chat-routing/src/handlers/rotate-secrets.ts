import { type RotateSecretsResponse } from '@parley/protos/routing/v1/routing';
import { toKeyId } from '../domain/secret-box.ts';
import { type HandlerDeps } from './deps.ts';

/** RPC RotateSecrets: encrypts every secret under an older key with the current one. Safe to repeat. */
export async function rotateSecrets({ connections, secrets, log }: HandlerDeps): Promise<RotateSecretsResponse> {
  // One that no key opens must not keep the others from being rotated.
  const open = (id: string, secret: Uint8Array) => {
    try {
      return secrets.open(id, secret);
    } catch (err) {
      log.error({ connectionId: id, err }, 'the secret of a connection cannot be decrypted');
      return undefined;
    }
  };
  let rotated = 0;
  for (const { id, secret } of await connections.listSecrets()) {
    if (toKeyId(secret) === secrets.currentKeyId) continue;
    const opened = open(id, secret);
    if (opened !== undefined && (await connections.replaceSecret(id, secret, secrets.seal(id, opened)))) rotated++;
  }
  log.info({ rotated, keyId: secrets.currentKeyId }, 'connection secrets rotated');
  return { rotated, keyId: secrets.currentKeyId };
}
