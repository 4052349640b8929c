import { waitFor } from '@parley/kit/testing/wait-for';
import { join } from 'node:path';
import { z } from 'zod';
import { parleyCommand } from './cli.ts';
import { type Answer, call } from './http.ts';
import { Operator } from './operator.ts';
import { type Gateway } from './parley.ts';
import { ROOT } from './paths.ts';
import { type Provider, type Tenant, makeTenant } from './tenant.ts';
import { type LocalFile, upload, type Uploader } from './upload.ts';

const run = z.looseObject({
  id: z.uuid(),
  action: z.string(),
  version: z.int(),
  status: z.string(),
  verdict: z.string().nullable(),
  output: z.record(z.string(), z.unknown()).nullable(),
  error: z.looseObject({ code: z.string() }).nullable(),
  effects: z.array(z.looseObject({ step_id: z.string(), outcome: z.string() })),
});

/** A run of an action as the API shows it. */
export type ShownRun = z.infer<typeof run>;

/** The documented examples. */
export type Example = 'summarise-document' | 'speak-text' | 'open-ticket';

/** Publishes a documented example as a person would, with the sandbox for its API. */
export async function publishExample(gateway: Gateway, name: Example): Promise<void> {
  const file = join(ROOT, 'docs', 'actions', `${name}.arazzo.yaml`);
  const server = name === 'open-ticket' ? ['--server', `tickets=${gateway.run.sandbox_url}`] : [];
  await parleyCommand(gateway, 'actions', 'publish', file, ...server);
}

/** A tenant of the beta with a key for everything, actions among it. */
export async function makeRunner(
  gateway: () => Gateway,
  providers: readonly Provider[] = ['sandbox'],
): Promise<{ tenant: Tenant; me: Uploader }> {
  const tenant = await makeTenant(gateway, providers);
  const operator = new Operator(gateway);
  await operator.call('PUT', `/action-cohort/${tenant.workspaceId}`);
  const scopes = ['chat', 'conversations', 'audio', 'actions:read', 'actions:run'];
  const { key } = await operator.createKey({ workspace_id: tenant.workspaceId, user_id: tenant.userId, scopes });
  return { tenant, me: { gateway: gateway(), key } };
}

/** Asks for a run, whatever it answers. */
export function requestRun({ gateway, key }: Uploader, slug: string, body: unknown): Promise<Answer> {
  return call(gateway, 'POST', `/v1/actions/${slug}/runs`, { key, body });
}

/** Begins a run. Throws when it is refused. */
export async function createRun(by: Uploader, slug: string, input: object, fields: object = {}): Promise<ShownRun> {
  const answer = await requestRun(by, slug, { input, ...fields });
  if (answer.status !== 202) throw new Error(`the run was refused with ${answer.status}: ${answer.text}`);
  return run.parse(answer.json);
}

/** A run as it stands. */
export async function getRun({ gateway, key }: Uploader, { action, id }: Pick<ShownRun, 'action' | 'id'>): Promise<ShownRun> {
  return run.parse((await call(gateway, 'GET', `/v1/actions/${action}/runs/${id}`, { key })).json);
}

const ENDED = ['succeeded', 'failed', 'cancelled', 'needs_review'];
/** How long a run may take, a crash and its lease in between. */
const RUN_MS = 90_000;

/** Waits until a run has ended. */
export function runEnded(of: Uploader, begun: Pick<ShownRun, 'action' | 'id'>): Promise<ShownRun> {
  return waitFor(async () => [await getRun(of, begun)].find(({ status }) => ENDED.includes(status)), { timeoutMs: RUN_MS, everyMs: 100 });
}

/** Uploads a file for a run; gives what an input takes. Throws when it is refused. */
export async function giveFile(to: Uploader, slug: string, file: LocalFile): Promise<{ asset_id: string }> {
  const answer = await upload(to, `/v1/actions/${slug}/assets`, file);
  if (answer.status !== 201) throw new Error(`${file.name} was refused with ${answer.status}: ${answer.text}`);
  return z.object({ asset_id: z.uuid() }).parse(answer.json);
}
