import { counter, histogram } from '@parley/kit/telemetry/meter';
import { type LabelsOf } from '@parley/kit/telemetry/metrics';
import { type GatewayError } from '@parley/protos/errors';
import { ConcurrencyLimitError, ThrottledError } from '../middleware/errors.ts';
import { UNKNOWN_OPERATION } from '../middleware/request-context.ts';
import { QuotaExceededError } from '../quota/quota-exceeded-error.ts';
import { type RequestOutcome } from './request-outcome.ts';

const REQUESTS = counter('parley_requests_total');
const ERRORS = counter('parley_request_errors_total');
const SECONDS = histogram('parley_request_duration_seconds');
const THROTTLED = counter('parley_throttled_total');
const QUOTA_REFUSALS = counter('parley_quota_refusals_total');

/** Metric labels of one operation, created once and reused by every request. */
interface OperationLabels {
  operation: LabelsOf<'parley_request_duration_seconds'>;
  statuses: Map<number, LabelsOf<'parley_requests_total'>>;
}

const LABELS = new Map<string, OperationLabels>();

/** Counts a request that has ended: its status, its duration and its error. */
export function countRequest({ context: { operation }, status, ms, error }: RequestOutcome): void {
  const labels = labelsOf(operation);
  REQUESTS.add(withStatus(labels, status));
  SECONDS.record(labels.operation, ms / 1_000);
  if (error) countError(labels.operation, error);
}

/** Counts a request that was refused before it had a response object, for example by the HTTP parser. */
export function countRefusedHead(error: GatewayError): void {
  const labels = labelsOf(UNKNOWN_OPERATION);
  REQUESTS.add(withStatus(labels, error.row.http));
  countError(labels.operation, error);
}

function countError({ operation }: LabelsOf<'parley_request_duration_seconds'>, error: GatewayError): void {
  ERRORS.add({ operation, code: error.code });
  if (error instanceof ThrottledError || error instanceof ConcurrencyLimitError) THROTTLED.add({ operation });
  if (error instanceof QuotaExceededError) QUOTA_REFUSALS.add({ metric: error.quota.metric, subject: error.quota.kind });
}

function labelsOf(operation: string): OperationLabels {
  let labels = LABELS.get(operation);
  if (!labels) LABELS.set(operation, (labels = { operation: { operation }, statuses: new Map() }));
  return labels;
}

function withStatus({ operation, statuses }: OperationLabels, status: number): LabelsOf<'parley_requests_total'> {
  let labels = statuses.get(status);
  if (!labels) statuses.set(status, (labels = { ...operation, status: String(status) }));
  return labels;
}
