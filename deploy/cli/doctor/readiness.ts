import { CliError } from '../cli-error.ts';
import { readinessSchema, type Readiness } from '../gateway/response-schemas.ts';
import { sendRequest } from '../gateway/send-request.ts';
import { type Finding } from './finding.ts';
import { CHECK_TIMEOUT_MS } from './liveness.ts';

const ADVICE: Readonly<Record<string, string>> = {
  database: 'check DATABASE_URL and that PostgreSQL runs; the embedded one writes to logs/parley.log of the data folder',
  broker: 'check NATS_URL and that NATS runs with JetStream; chat goes on meanwhile, usage is counted when it is back',
};

/** Checks the readiness of the gateway: a finding for the whole, and one for each of its readiness checks. */
export async function checkReadiness(url: string): Promise<Finding[]> {
  const name = 'readiness';
  try {
    const { status, body } = await sendRequest(url, { method: 'GET', path: '/readyz', timeoutMs: CHECK_TIMEOUT_MS });
    const report = readinessSchema.safeParse(body);
    if (!report.success)
      return [
        { name, state: 'failed', detail: `${url}/readyz answers HTTP ${status}`, advice: 'check that PARLEY_URL names a Parley gateway' },
      ];
    return [
      overall(report.data, status),
      ...Object.entries(report.data.checks).map(([part, check]) => ofPart(part, check, status === 200)),
    ];
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return [{ name, state: 'failed', detail: error.message }];
  }
}

function overall({ status: said }: Readiness, status: number): Finding {
  const name = 'readiness';
  if (status === 200) return { name, state: 'ok', detail: 'the gateway takes requests' };
  if (said === 'draining')
    return { name, state: 'failed', detail: 'the gateway is stopping', advice: 'wait until it has stopped and start it again' };
  return { name, state: 'failed', detail: 'the gateway takes no requests', advice: 'see the parts that fail' };
}

/** A readiness check that fails while the gateway is ready is only a warning: the gateway works without that component for a while. */
function ofPart(part: string, { ok, ms, detail }: Readiness['checks'][string], isReady: boolean): Finding {
  if (ok) return { name: part, state: 'ok', detail: `${ms} ms${detail ? `, ${detail}` : ''}` };
  const advice = ADVICE[part] ?? `look for ${part} in the log; a part that ends is started again`;
  return { name: part, state: isReady ? 'warning' : 'failed', detail: detail ?? 'not ready', advice };
}
