import { type Logger } from '@parley/kit/log/logger';
import { type SecretBox } from '@parley/kit/secrets/secret-box';
import { type Database } from '../store/client.ts';
import {
  listSecretsToReencrypt,
  replaceSealedSecret,
  SEALED_COLUMNS,
  type SealedColumn,
  type SealedSecret,
} from '../store/sealed-secrets.ts';

const PAGE = 200;

interface Tools {
  db: Database;
  secrets: Pick<SecretBox, 'currentKeyId' | 'open' | 'seal'>;
  log: Logger;
}

/**
 * Encrypts the stored secrets of second factors, providers, sign-ins and signing keys with the current key. Returns how many secrets were
 * re-encrypted.
 */
export async function rotateEdgeSecrets(tools: Tools): Promise<number> {
  let rotated = 0;
  for (const column of SEALED_COLUMNS) rotated += await rotateColumn(tools, column);
  return rotated;
}

async function rotateColumn(tools: Tools, column: SealedColumn): Promise<number> {
  const { db, secrets } = tools;
  let rotated = 0;
  let after = '';
  for (;;) {
    const page = await listSecretsToReencrypt(db, column, secrets.currentKeyId, { after, limit: PAGE });
    for (const one of page) if (await rotate(tools, column, one)) rotated++;
    const last = page.at(-1);
    if (!last || page.length < PAGE) return rotated;
    after = last.id;
  }
}

async function rotate({ db, secrets, log }: Tools, column: SealedColumn, one: SealedSecret): Promise<boolean> {
  const secret = open(secrets, one);
  if (secret === undefined) {
    log.warn({ table: column.table, row: one.id }, 'a secret cannot be decrypted with PARLEY_SECRET_KEYS; it stays as it is');
    return false;
  }
  return replaceSealedSecret(db, column, one, Uint8Array.from(secrets.seal(one.owner, secret)));
}

function open(secrets: Tools['secrets'], { owner, sealed }: SealedSecret): string | undefined {
  try {
    return secrets.open(owner, sealed);
  } catch {
    return undefined;
  }
}
