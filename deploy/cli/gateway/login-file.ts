import { type Env } from '@parley/kit/config/read-config';
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const login = z.object({ email: z.string(), cookie: z.string(), csrf_token: z.string() });
const file = z.record(z.string(), login);

/** A login session at a gateway, as the command line keeps it. */
export type Login = z.infer<typeof login>;

/** Returns the path of the file with the logins, by origin of the gateway: in the state folder (XDG), readable by its user only. */
export function getLoginFilePath(env: Env): string {
  return join(env['XDG_STATE_HOME']?.trim() || join(env['HOME']?.trim() || homedir(), '.local', 'state'), 'parley', 'logins.json');
}

/** The login at a gateway; undefined without one. */
export async function readLogin(env: Env, url: string): Promise<Login | undefined> {
  return (await readLogins(env))[url];
}

/** Saves the login at a gateway. */
export async function saveLogin(env: Env, url: string, one: Login): Promise<void> {
  await write(env, { ...(await readLogins(env)), [url]: one });
}

/** Deletes the login at a gateway. */
export async function deleteLogin(env: Env, url: string): Promise<void> {
  const { [url]: _gone, ...others } = await readLogins(env);
  await write(env, others);
}

async function readLogins(env: Env): Promise<Record<string, Login>> {
  try {
    return file.parse(JSON.parse(await readFile(getLoginFilePath(env), 'utf8')));
  } catch {
    // Not there, or damaged: there is nothing in it that a new login does not bring back.
    return {};
  }
}

async function write(env: Env, logins: Record<string, Login>): Promise<void> {
  const path = getLoginFilePath(env);
  if (Object.keys(logins).length === 0) return rm(path, { force: true });
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(path, `${JSON.stringify(logins, undefined, 2)}\n`, { mode: 0o600 });
  // The mode counts only for a file that is new.
  await chmod(path, 0o600);
}
