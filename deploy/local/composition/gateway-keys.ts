import { randomBytes } from 'node:crypto';
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type DataDir } from '../supervisor/data-dir.ts';
import { readOrCreateSecret } from '../supervisor/secret-file.ts';
import { type LocalSettings } from './settings.ts';

/** The secrets of one gateway. */
export interface GatewayKeys {
  /** The bootstrap key, which the edge creates; undefined on later runs, when only its hash is known. */
  apiKey: string | undefined;
  /** Whether this start has created the API key, so that it may be shown. */
  isNew: boolean;
  operatorKey: string;
  /** Keys for connection secrets, as in PARLEY_SECRET_KEYS. */
  secretKeys: string;
  /** Records that the API key was shown, so that no later start shows it; must be called when the edge has the key. */
  markApiKeyShown(): Promise<void>;
}

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const DIGITS = 43;

/** Reads the secrets of a data folder, and creates those that are missing. */
export async function loadGatewayKeys(folder: DataDir, settings: LocalSettings): Promise<GatewayKeys> {
  const marker = join(folder.secrets, 'api-key-shown');
  const isFirst = await access(marker).then(
    () => false,
    () => true,
  );
  const isNew = isFirst && settings.apiKey === undefined;
  return {
    apiKey: settings.apiKey ?? (isNew ? makeKey() : undefined),
    isNew,
    operatorKey: settings.operatorKey ?? (await readOrCreateSecret(join(folder.secrets, 'operator-key'), makeKey)),
    secretKeys:
      settings.env['PARLEY_SECRET_KEYS'] ||
      (await readOrCreateSecret(join(folder.secrets, 'secret-keys'), () => `k1:${randomBytes(32).toString('base64')}`)),
    markApiKeyShown: () => writeFile(marker, '', { mode: 0o600 }),
  };
}

/** Returns `gmk_live_` and 32 random bytes in base 62. */
function makeKey(): string {
  let number = BigInt(`0x${randomBytes(32).toString('hex')}`);
  let text = '';
  for (let digit = 0; digit < DIGITS; digit++) {
    text = ALPHABET.charAt(Number(number % 62n)) + text;
    number /= 62n;
  }
  return `gmk_live_${text}`;
}
