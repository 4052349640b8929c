import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';
import { type CliEnvironment } from '../cli-environment.ts';
import { CliError } from '../cli-error.ts';
import { type Credential } from './admin-token.ts';
import { readLogin } from './login-file.ts';

/** Where a gateway is and what it exchanges for a token of its control plane. */
export interface GatewayLocation {
  /** Origin without a trailing slash. */
  url: string;
  credential: Credential;
}

type Place = Pick<CliEnvironment, 'env' | 'cwd'>;

const runFile = z.object({ url: z.string() });

/** Returns the absolute path of the data folder: PARLEY_DATA_DIR, or `.parley`. */
export function resolveDataDir({ env, cwd }: Place): string {
  return resolve(cwd, env['PARLEY_DATA_DIR']?.trim() || '.parley');
}

/**
 * Finds the gateway, in PARLEY_URL or the data folder of a Parley started here, and a credential: of a service account, the operator key in the environment, a
 * login, or the operator key in the data folder.
 * @throws CliError one line that says what is missing
 */
export async function locateGateway(place: Place): Promise<GatewayLocation> {
  const url = await locateGatewayUrl(place);
  return { url, credential: await locateCredential(place, url) };
}

/** Finds the origin of the gateway. @throws CliError when it cannot be found */
export async function locateGatewayUrl(place: Place): Promise<string> {
  const given = place.env['PARLEY_URL']?.trim();
  if (given) return originOf(given);
  const dataDir = resolveDataDir(place);
  const text = await readOrNothing(join(dataDir, 'run.json'));
  if (text === undefined) {
    throw new CliError(
      `no Parley runs in ${dataDir}; start one with npm start, or set PARLEY_URL (and PARLEY_OPERATOR_KEY) to reach another`,
      {
        code: 'NOT_RUNNING',
      },
    );
  }
  const facts = runFile.safeParse(parseJson(text));
  if (!facts.success) throw new CliError(`${join(dataDir, 'run.json')} is damaged; restart Parley, or set PARLEY_URL`);
  return facts.data.url;
}

async function locateCredential(place: Place, url: string): Promise<Credential> {
  const account = serviceAccountOf(place);
  if (account) return account;
  const given = place.env['PARLEY_OPERATOR_KEY']?.trim();
  if (given) return { kind: 'operator', operatorKey: given };
  const login = await readLogin(place.env, url);
  if (login) return { kind: 'session', cookie: login.cookie, csrfToken: login.csrf_token };
  return { kind: 'operator', operatorKey: await readOperatorKey(place, url) };
}

function serviceAccountOf({ env }: Place): Credential | undefined {
  const [id, secret] = [env['PARLEY_SERVICE_ACCOUNT_ID']?.trim(), env['PARLEY_SERVICE_ACCOUNT_SECRET']?.trim()];
  if (id && secret) return { kind: 'service_account', id, secret };
  if (!id && !secret) return undefined;
  throw new CliError('PARLEY_SERVICE_ACCOUNT_ID and PARLEY_SERVICE_ACCOUNT_SECRET go together', { code: 'BAD_CREDENTIAL' });
}

async function readOperatorKey(place: Place, url: string): Promise<string> {
  // The key of the gateway on this machine must not be sent to another machine.
  if (place.env['PARLEY_URL'] && !isLoopbackUrl(url)) {
    throw new CliError(`run npx parley login, or set PARLEY_OPERATOR_KEY to the operator key of ${url}`, { code: 'NO_OPERATOR_KEY' });
  }
  const file = join(resolveDataDir(place), 'secrets', 'operator-key');
  const key = (await readOrNothing(file))?.trim();
  if (key) return key;
  throw new CliError(`no operator key in ${file}; set PARLEY_OPERATOR_KEY to the one the gateway was started with`, {
    code: 'NO_OPERATOR_KEY',
  });
}

/** Whether the host of a URL is a loopback address of this machine. */
export function isLoopbackUrl(url: string): boolean {
  return /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(new URL(url).hostname);
}

function originOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new CliError('PARLEY_URL must be an http or https URL', { code: 'BAD_URL' });
  return url.origin;
}

async function readOrNothing(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new CliError(`${file} cannot be read (${code})`, { cause: error });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
