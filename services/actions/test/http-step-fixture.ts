import { afterEach, beforeEach } from '@jest/globals';
import { GatewayError } from '@parley/protos/errors';
import { type AcquiredConnection, type ReportConnectionRequest } from '@parley/protos/routing/v1/routing';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo } from 'node:net';
import { type ConnectionsClient } from '../src/steps/credentials.ts';
import { EgressGuard } from '../src/steps/egress-guard.ts';
import { parseEgressPolicy } from '../src/steps/egress-policy.ts';
import { httpExecutor } from '../src/steps/http.ts';
import { type StepRequest } from '../src/steps/step-executor.ts';
import { NEVER } from './step-fixture.ts';

/** What a connection carries. */
export const SECRET = 'sk-"quoted"-secret';
/** What an answer may have. */
export const MAX_BYTES = 10_000;

/** One request that an API got. */
interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** How an API answers. */
export type Answer = (request: Seen, res: ServerResponse) => void;

/** A local HTTP API that records its requests. */
async function openApi(): Promise<{ server: Server; url: string; host: string; seen: Seen[]; answer: Answer }> {
  const api = { server: createServer(), url: '', host: '', seen: [] as Seen[], answer: ((_request, res) => res.end()) as Answer };
  api.server.on('request', (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const { method, url, headers } = req;
      const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
      api.seen.push(request);
      api.answer(request, res);
    });
  });
  api.server.listen(0, '127.0.0.1');
  await once(api.server, 'listening');
  api.host = `127.0.0.1:${(api.server.address() as AddressInfo).port}`;
  api.url = `http://${api.host}`;
  return api;
}

type Api = Awaited<ReturnType<typeof openApi>>;

/** Answers with JSON. */
export const json = (res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));

/** Two APIs, what connections chat-routing gives, and steps that call them. */
export class HttpStepFixture {
  readonly api: Api;
  readonly other: Api;
  readonly reports: ReportConnectionRequest[] = [];
  /** What chat-routing was asked for, as `purpose:id`. */
  readonly acquired: string[] = [];
  connection: AcquiredConnection | GatewayError = new GatewayError('ACCOUNT_NOT_CONNECTED', 'none');
  readonly connections: ConnectionsClient = {
    acquireConnection: async ({ connectionId, purpose }) => {
      this.acquired.push(`${purpose}:${connectionId}`);
      if (this.connection instanceof GatewayError) throw this.connection;
      return this.connection;
    },
    reportConnection: async (report) => {
      this.reports.push(report);
      return {};
    },
  };
  readonly #guard: EgressGuard;

  constructor(api: Api, other: Api) {
    [this.api, this.other] = [api, other];
    this.#guard = new EgressGuard(parseEgressPolicy([api.host, other.host], []));
  }

  /** Connects an account of the first API. */
  connect(part: Partial<AcquiredConnection> = {}): void {
    const known = { id: 'c1', provider: 'http-api', label: 'api', baseUrl: `${this.api.url}/v1`, secret: SECRET };
    this.connection = { ...known, models: [], probing: false, account: '', ...part };
  }

  run(request: StepRequest, signal = NEVER) {
    return httpExecutor({ connections: this.connections, guard: this.#guard, maxResponseBytes: MAX_BYTES }).execute(request, signal);
  }

  /** What a step fails with, and what may have happened. */
  failure(request: StepRequest, signal?: AbortSignal) {
    return this.run(request, signal).then(
      () => 'answered',
      ({ error, effect }: { error: GatewayError; effect: string }) => ({ condition: error.condition, effect }),
    );
  }

  async close(): Promise<void> {
    for (const { server } of [this.api, this.other]) {
      server.closeAllConnections();
      server.close();
    }
    await this.#guard.close();
  }
}

/** Opens a fixture before each test, and closes it after it. */
export function beforeEachWithHttpSteps(enter: (fixture: HttpStepFixture) => void): void {
  let fixture: HttpStepFixture | undefined;
  beforeEach(async () => {
    fixture = new HttpStepFixture(await openApi(), await openApi());
    enter(fixture);
  });
  afterEach(() => fixture?.close());
}
