import { type RotateSecretsResponse } from '@parley/protos/routing/v1/routing';
import { keyIdOf } from '../domain/secret-box.ts';
import { type HandlerDeps } from './deps.ts';

/** RPC RotateSecrets: encrypts every secret that an older key protects anew with the current one. Safe to repeat. */
export async function rotateSecrets({ connections, secrets, log }: HandlerDeps): Promise<RotateSecretsResponse> {
  let rotated = 0;
  for (const { id, secret } of await connections.listSecrets()) {
    if (keyIdOf(secret) === secrets.currentKeyId) continue;
    if (await connections.replaceSecret(id, secret, secrets.seal(id, secrets.open(id, secret)))) rotated++;
  }
  log.info({ rotated, keyId: secrets.currentKeyId }, 'connection secrets rotated');
  return { rotated, keyId: secrets.currentKeyId };
}
