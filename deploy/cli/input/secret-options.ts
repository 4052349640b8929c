import { type Command } from 'commander';
import { type CliEnvironment } from '../cli-environment.ts';
import { usageError } from '../cli-error.ts';
import { readLine } from './read-line.ts';

/** Where a secret comes from. Never from an argument: those are seen by every user of the machine and kept by shells. */
export interface SecretOptions {
  apiKeyStdin?: boolean;
  apiKeyEnv?: string;
  passwordStdin?: boolean;
  passwordEnv?: string;
}

/** The secret as a field of the control plane; empty when none was given. */
export interface SecretFields {
  api_key?: string;
  password?: string;
}

/** Adds the options of a secret to a command. */
export function addSecretOptions(command: Command): Command {
  return command
    .option('--api-key-stdin', 'read the API key from standard input')
    .option('--api-key-env <name>', 'read the API key from this environment variable')
    .option('--password-stdin', 'read the password from standard input')
    .option('--password-env <name>', 'read the password from this environment variable');
}

/** Reads the secret that the options name. @throws CliError a usage error when they name two, or a missing one */
export async function readSecretFields(options: SecretOptions, environment: CliEnvironment): Promise<SecretFields> {
  const { apiKeyStdin, apiKeyEnv, passwordStdin, passwordEnv } = options;
  const given = [apiKeyStdin, apiKeyEnv, passwordStdin, passwordEnv].filter((option) => option !== undefined);
  if (given.length === 0) return {};
  if (given.length > 1) throw usageError('give one secret: an API key or a password, from standard input or from the environment');
  const field = apiKeyStdin || apiKeyEnv ? 'api_key' : 'password';
  return { [field]: await readSecretValue(apiKeyEnv ?? passwordEnv, field === 'api_key' ? 'API key' : 'Password', environment) };
}

/** Reads a secret from an environment variable, or else from standard input. @throws CliError a usage error when there is none */
export async function readSecretValue(variable: string | undefined, name: string, { env, stdin, stderr }: CliEnvironment): Promise<string> {
  const secret = variable === undefined ? await readLine(stdin, stderr, name) : env[variable];
  if (secret) return secret;
  throw usageError(variable === undefined ? 'standard input was empty; pipe the secret into the command' : `${variable} is not set`);
}
