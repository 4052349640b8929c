import { type Bus } from '@parley/kit/bus/bus';
import { type Disposables } from '@parley/kit/lifecycle/disposables';
import { pause } from '@parley/kit/lifecycle/pause';
import { type ReadinessCheck, Readiness, type ReadinessReport } from '@parley/kit/lifecycle/readiness';
import { SYSTEM_CALLER } from '@parley/kit/rpc/call';
import { type ServiceAddress, connect, type Stub } from '@parley/kit/rpc/client';
import type pg from 'pg';
import { type ServiceAddresses } from '../config.ts';

const SERVING = 1;

/** The method `grpc.health.v1.Health/Check`, which every service offers in addition to its own contract. */
const HEALTH = {
  check: {
    path: '/grpc.health.v1.Health/Check',
    requestStream: false,
    responseStream: false,
    // An empty request checks the server as a whole.
    requestSerialize: () => Buffer.alloc(0),
    requestDeserialize: () => ({}),
    // The only field of the answer: number 1, a varint below 128.
    responseSerialize: ({ serving }: { serving: boolean }) => Buffer.from([0x08, serving ? SERVING : 2]),
    responseDeserialize: (bytes: Buffer) => ({ serving: bytes[0] === 0x08 && bytes[1] === SERVING }),
  },
} as const;

/** Connects to the health service at a gRPC address. */
function connectHealth(address: string): Stub<typeof HEALTH> {
  return connect(HEALTH, address);
}

/** The configuration field with the address of each service, by its name in `/readyz`. */
const SERVICES = {
  'chat-routing': 'chatRoutingAddress',
  conversation: 'conversationAddress',
  usage: 'usageAddress',
  asset: 'assetAddress',
  audio: 'audioAddress',
  actions: 'actionsAddress',
} as const satisfies Record<string, keyof ServiceAddresses>;

/** Name of a service, which is also the name of its readiness check. */
export type ServiceName = keyof typeof SERVICES;

/** Readiness of the services in the same process. */
export type ServiceReports = Partial<Record<ServiceName, () => Promise<ReadinessReport>>>;

/** Without these services no chat turn can run. Failures of the others are reported, but do not make the edge unready. */
const REQUIRED: readonly ServiceName[] = ['chat-routing', 'conversation'];
const CHECK_MS = 1_500;
const REPLICAS_ASKED = 3;

interface Parts {
  addresses: ServiceAddresses;
  reports: ServiceReports;
  pool: pg.Pool;
  bus: Pick<Bus, 'connected'>;
}

/** Returns the checks behind `/readyz`: the database, the message broker (not required) and every service. */
export function createReadiness({ addresses, reports, pool, bus }: Parts, parts: Disposables): Readiness {
  const readiness = new Readiness();
  readiness.add('database', async () => void (await pool.query('SELECT 1')));
  readiness.add('broker', brokerCheck(bus), { required: false });
  for (const [name, field] of Object.entries(SERVICES) as [ServiceName, keyof ServiceAddresses][]) {
    const report = reports[name];
    const check = report ? reportCheck(report) : addressCheck(addresses[field], parts);
    readiness.add(name, check, { required: REQUIRED.includes(name), deadlineMs: CHECK_MS });
  }
  return readiness;
}

function brokerCheck(bus: Pick<Bus, 'connected'>): ReadinessCheck {
  return async () => {
    if (!bus.connected) throw new Error('not connected; events wait');
  };
}

function reportCheck(report: () => Promise<ReadinessReport>): ReadinessCheck {
  return async () => {
    const { ready, checks } = await report();
    const notable = Object.entries(checks).filter(([, { ok, detail }]) => !ok || detail !== undefined);
    const detail = notable.map(([name, check]) => `${name}: ${check.detail ?? 'failed'}`).join('; ');
    if (!ready) throw new Error(detail || 'not ready');
    return detail;
  };
}

async function requireServing(health: Stub<typeof HEALTH>, signal: AbortSignal): Promise<void> {
  const { serving } = await health.check({}, { caller: SYSTEM_CALLER, signal, deadlineMs: CHECK_MS, repeatable: false });
  if (!serving) throw new Error('not serving');
}

function addressCheck(address: ServiceAddress, parts: Disposables): ReadinessCheck {
  // A service in this process runs as long as the edge.
  if (typeof address !== 'string') return async () => 'in this process';
  const health = parts.adopt(connectHealth(address), (stub) => stub.close());
  return async (signal) => {
    // One replica that stops or is unavailable does not fail the check while another one can take the next call.
    const asked: Promise<void>[] = [];
    for (let n = 0; n < REPLICAS_ASKED; n++) {
      const asking = requireServing(health, signal);
      asked.push(asking);
      // A frozen replica does not answer: the next is asked in parallel.
      const answer = asking.then(() => true).catch(() => false);
      const isServing = await Promise.race([answer, pause(CHECK_MS / REPLICAS_ASKED, signal)]);
      if (isServing) return;
    }
    await Promise.any(asked).catch(() => asked[0]);
  };
}
