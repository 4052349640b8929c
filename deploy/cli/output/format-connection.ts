import { type Connection } from '../gateway/response-schemas.ts';

/** Formats the status of a connection in one line, with the rest of its cooldown. */
export function formatConnectionStatus({ status, cooldown_seconds }: Connection): string {
  return status + (cooldown_seconds ? ` (${cooldown_seconds}s left)` : '');
}

/** Formats the number of models of a connection, or the name of the only one. */
export function formatModelCount({ models }: Connection): string {
  return models.length === 1 ? (models[0] ?? '') : String(models.length);
}

/** Formats aliases in one line, such as `fast=small`. */
export function formatAliases({ aliases }: Connection): string {
  return Object.entries(aliases)
    .map(([alias, model]) => `${alias}=${model}`)
    .join(', ');
}

/** Returns the status and the model settings of a connection for `formatFacts`, without the empty ones. */
export function toConnectionFacts(of: Connection): (readonly [name: string, value: string])[] {
  const all = [
    ['Status', `${formatConnectionStatus(of)}, ${of.health}`],
    ['Reason', of.reason ?? ''],
    ['Models', of.models.length > 0 ? `${of.models.length}: ${of.models.join(', ')}` : ''],
    ['Default model', of.default_model ?? ''],
    ['Aliases', formatAliases(of)],
    ['Resting models', of.resting_models.join(', ')],
    ['Passed on', of.pass.join(', ')],
  ] as const;
  return all.filter(([, value]) => value !== '');
}

/** Returns the models that a connection has gained and lost, for `formatFacts`. */
export function toModelChangeFacts(before: Connection, after: Connection): (readonly [name: string, value: string])[] {
  const missing = (one: Connection, other: Connection) => one.models.filter((model) => !other.models.includes(model)).join(', ');
  const changes = [['New models', missing(after, before)] as const, ['Gone models', missing(before, after)] as const];
  return changes.filter(([, value]) => value !== '');
}
