import { CliError } from '../cli-error.ts';
import { isLoopbackUrl } from '../gateway/locate.ts';
import { sendRequest } from '../gateway/send-request.ts';
import { type Finding } from './finding.ts';

/** Timeout of a check, in milliseconds. */
export const CHECK_TIMEOUT_MS = 5_000;

/** Checks whether the gateway responds; also returns its `Date` header. */
export async function checkLiveness(url: string): Promise<{ finding: Finding; date: string | null }> {
  const name = 'gateway';
  try {
    const { status, headers } = await sendRequest(url, { method: 'GET', path: '/livez', timeoutMs: CHECK_TIMEOUT_MS });
    const date = headers.get('date');
    if (status !== 200) {
      const detail = `${url} answers HTTP ${status} to /livez`;
      return { finding: { name, state: 'failed', detail, advice: 'something else listens there; check PARLEY_URL and PARLEY_PORT' }, date };
    }
    if (url.startsWith('http:') && !isLoopbackUrl(url)) {
      const detail = `${url} answers, unencrypted`;
      return { finding: { name, state: 'warning', detail, advice: 'keys can be read on the way: put TLS in front of the gateway' }, date };
    }
    return { finding: { name, state: 'ok', detail: `${url} answers` }, date };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { finding: { name, state: 'failed', detail: error.message }, date: null };
  }
}
