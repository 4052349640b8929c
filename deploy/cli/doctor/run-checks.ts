import { type CliEnvironment } from '../cli-environment.ts';
import { CliError } from '../cli-error.ts';
import { createGatewayClient } from '../gateway/client.ts';
import { locateGateway, locateGatewayUrl } from '../gateway/locate.ts';
import { checkClock } from './clock.ts';
import { checkConnections } from './connections.ts';
import { checkDataDir } from './data-dir.ts';
import { type Finding } from './finding.ts';
import { checkLiveness } from './liveness.ts';
import { checkNodeVersion } from './node-version.ts';
import { checkReadiness } from './readiness.ts';

/** Runs every check, each after those that it depends on. Skips the checks that an earlier failure makes impossible. */
export async function runChecks(environment: CliEnvironment): Promise<Finding[]> {
  const findings = [checkNodeVersion(environment.nodeVersion), await checkDataDir(environment)];
  const url = await locateGatewayUrl(environment).catch(failureOf('gateway'));
  if (typeof url !== 'string') return [...findings, url];
  const { finding, date } = await checkLiveness(url);
  findings.push(finding);
  if (finding.state === 'failed') return findings;
  findings.push(checkClock(date, environment.now()), ...(await checkReadiness(url)));
  const location = await locateGateway(environment).catch(failureOf('credential'));
  if (!('credential' in location)) return [...findings, location];
  return [...findings, ...(await checkConnections(createGatewayClient(location)))];
}

function failureOf(name: string) {
  return (error: unknown): Finding => {
    if (error instanceof CliError) return { name, state: 'failed', detail: error.message };
    throw error;
  };
}
