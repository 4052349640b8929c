import { uuidv7 } from '@parley/kit/ids/uuid';
import { createLogger } from '@parley/kit/log/logger';
import { type Caller } from '@parley/kit/rpc/call';
import { serve } from '@parley/kit/rpc/serve';
import { type Handlers } from '@parley/kit/rpc/service-implementation';
import { openInfra } from '@parley/kit/testing/infra';
import { type Replica, connectReplica } from '@parley/kit/testing/replica';
import { waitFor } from '@parley/kit/testing/wait-for';
import { ActionsServiceService, type CreateRunRequest, type Run, type RunEvent } from '@parley/protos/actions/v1/actions';
import { AssetServiceService, type ConsumeActionInputsRequest } from '@parley/protos/asset/v1/asset';
import { ChatRoutingServiceService } from '@parley/protos/routing/v1/routing';
import { type ActionsConfig } from '../src/config.ts';
import { type Workflow } from '../src/domain/workflow.ts';
import { type ActionsOverrides, type ActionsServer, startActionsServer } from '../src/server.ts';
import { parseEgressPolicy } from '../src/steps/egress-policy.ts';

/** A silent logger. */
export const SILENT = createLogger({ service: 'actions-test', level: 'silent' });

/** A service with a connection to it. */
export type Running = Replica<ActionsServer, typeof ActionsServiceService>;

/** A database and a broker prefix for one test file, scripted fakes of other services, and services on them. */
export async function openFixture() {
  const infra = await openInfra('actions', SILENT);
  const { databaseUrl, natsUrl, sql, openBus } = infra;
  const beside = await startBeside();
  const running: Running[] = [];
  return {
    sql,
    openBus,
    databaseUrl,
    beside,
    /** Starts one more replica. */
    start: async (config: Partial<ActionsConfig> = {}, overrides: ActionsOverrides = {}): Promise<Running> => {
      const bus = openBus();
      const defaults: ActionsConfig = {
        ...{ databaseUrl, natsUrl, listen: 'in-process', instance: `actions-${running.length + 1}`, logLevel: 'silent' },
        ...{ chatRoutingAddress: beside.routing, assetAddress: beside.assets, audioAddress: '127.0.0.1:1' },
        ...{ executing: true, maxRisk: 'write', maxRiskWithoutReview: 'irreversible', workers: 4, workspaceConcurrency: 4 },
        ...{ stepTimeoutMs: 60_000, runTimeoutMs: 900_000, leaseMs: 3_600_000, retentionMs: 86_400_000 },
        ...{ egress: parseEgressPolicy([], []), maxResponseBytes: 1_000_000, textExtraction: { readers: 2, timeMs: 30_000 } },
      };
      const server = await startActionsServer({ ...defaults, ...config }, { log: SILENT, bus, graceMs: 5_000, ...overrides });
      const one = connectReplica(ActionsServiceService, server, () => bus.drain());
      running.push(one);
      return one;
    },
    /** Publishes an action under a slug of its own; gives the slug. */
    publish: async (workflow: Workflow, slug = `a-${uuidv7()}`): Promise<string> => {
      await sql.query(
        `INSERT INTO action_versions (slug, version, digest, document, sources, workflow) VALUES ($1, 1, $2, '{}', '{}', $3)`,
        [slug, Buffer.from(slug), JSON.stringify({ ...workflow, slug })],
      );
      await sql.query(`INSERT INTO actions (slug, status, current_version) VALUES ($1, 'active', 1)`, [slug]);
      return slug;
    },
    /** A key of a workspace of its own, which takes part. */
    member: async (): Promise<Caller> => {
      const caller = newCaller();
      await sql.query('INSERT INTO cohort (workspace_id) VALUES ($1)', [caller.workspaceId]);
      return caller;
    },
    /** As if the worker of a run had just fallen silent: what it still does is too late. */
    silence: async (id: string): Promise<void> => {
      await sql.query(
        `UPDATE runs SET generation = generation + 100, lease_until = now() - interval '1 s' WHERE id = $1 AND lease_until IS NOT NULL`,
        [id],
      );
    },
    close: async () => {
      await Promise.all(running.map((one) => one.stop()));
      await beside.close();
      await infra.close();
    },
  };
}

/** What `openFixture` gives. */
export type TestFixture = Awaited<ReturnType<typeof openFixture>>;

/** The services that actions calls, as far as it calls them. */
async function startBeside() {
  const accounts = new Map<string, { id: string; provider: string; status: string }[]>();
  const consumed: ConsumeActionInputsRequest[] = [];
  const fixture = { accounts, consumed, refusal: undefined as Error | undefined };
  const routing = {
    listConnections: async ({ provider }: { provider: string }, { caller }: { caller: Caller }) => {
      const connections = (accounts.get(caller.workspaceId) ?? []).filter((account) => account.provider === provider);
      return { connections, total: connections.length };
    },
  };
  const assets = {
    consumeActionInputs: async (request: ConsumeActionInputsRequest) => {
      consumed.push(request);
      if (fixture.refusal) throw fixture.refusal;
      return { assets: [] };
    },
  };
  const endpoints = await Promise.all([
    serve(ChatRoutingServiceService, routing as unknown as Handlers<typeof ChatRoutingServiceService>, 'in-process', SILENT),
    serve(AssetServiceService, assets as unknown as Handlers<typeof AssetServiceService>, 'in-process', SILENT),
  ]);
  const [{ address: routingAddress }, { address: assetAddress }] = endpoints;
  return Object.assign(fixture, {
    ...{ routing: routingAddress, assets: assetAddress },
    close: async () => void (await Promise.all(endpoints.map((endpoint) => endpoint.close()))),
  });
}

/** A key of a workspace of its own. */
export function newCaller(part: Partial<Caller> = {}): Caller {
  return { workspaceId: uuidv7(), keyId: uuidv7(), userId: '', scopes: [], requestId: 'r', ...part };
}

/** A request for a run with nothing in it. */
export function request(slug: string, part: Partial<CreateRunRequest> = {}): CreateRunRequest {
  return { slug, input: '{}', connectionId: '', idempotencyKey: '', requestDigest: Buffer.alloc(32), ...part };
}

/** Waits for a run to be in a status, and gives it. */
export function reaches({ stub }: Running, caller: Caller, { slug, id }: Pick<Run, 'slug' | 'id'>, status: string): Promise<Run> {
  return waitFor(async () => {
    const run = await stub.getRun({ slug, id }, { caller });
    return run.status === status ? run : undefined;
  });
}

/** Every event of a run. */
export async function readRunEvents({ stub }: Running, caller: Caller, { slug, id }: Pick<Run, 'slug' | 'id'>): Promise<RunEvent[]> {
  return (await stub.listRunEvents({ slug, id, after: 0, limit: 0 }, { caller })).events;
}

/** As `type step` in words, in their order. */
export function toLines(events: readonly RunEvent[]): string[] {
  return events.map(({ type, stepId }) => `${type} ${stepId}`.trim());
}
