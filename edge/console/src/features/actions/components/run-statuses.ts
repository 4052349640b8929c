import { type components } from '../../../api/generated/me.ts';
import { type Tone } from '../../../ui/badge.tsx';

type RunStatus = components['schemas']['ActionRun']['status'];

/** Every status, in the order of a run's life. */
export const RUN_STATUSES = [
  'accepted',
  'running',
  'cancelling',
  'succeeded',
  'needs_review',
  'failed',
  'cancelled',
] as const satisfies readonly RunStatus[];

/** How good a status is. */
export const STATUS_TONES: Readonly<Record<RunStatus, Tone>> = {
  accepted: 'neutral',
  running: 'accent',
  cancelling: 'warn',
  succeeded: 'good',
  needs_review: 'warn',
  failed: 'bad',
  cancelled: 'neutral',
};

/** Whether a run with this status has not ended. */
export function isRunInProgress(status: RunStatus): boolean {
  return status === 'accepted' || status === 'running' || status === 'cancelling';
}
