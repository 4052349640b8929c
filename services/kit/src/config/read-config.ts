import type { z } from 'zod';
import { ConfigError } from './config-error.ts';

export { ConfigError } from './config-error.ts';

/** Environment variables by name, as in `process.env`. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment with a schema whose keys are variable names.
 * An empty variable counts as absent, as `FOO=` in a compose file means "not set".
 * @throws ConfigError one line that names every variable at fault and what it should be; never its value.
 */
export function readConfig<Schema extends z.ZodType>(schema: Schema, env: Env): z.output<Schema> {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value.trim() !== ''));
  const result = schema.safeParse(present);
  if (result.success) return result.data;
  throw new ConfigError(`bad configuration: ${complaints(result.error.issues, present)}`);
}

function complaints(issues: readonly z.core.$ZodIssue[], env: Env): string {
  const byName = new Map<string, string>();
  for (const issue of issues) {
    const name = issue.path.map(String).join('.');
    if (!byName.has(name)) byName.set(name, complaint(name, issue.message, env));
  }
  return [...byName.values()].join('; ');
}

function complaint(name: string, expected: string, env: Env): string {
  if (name === '') return expected;
  return env[name] === undefined ? `${name} is not set (${expected})` : `${name} ${expected}`;
}
