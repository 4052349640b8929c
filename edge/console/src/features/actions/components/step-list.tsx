import { clsx } from 'clsx';
import { Circle, CircleAlert, CircleCheck, CircleDashed, Clock, LoaderCircle, type LucideIcon } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { type RunStep, type StepState } from './run-steps.ts';

const ICONS: Readonly<Record<StepState, { icon: LucideIcon; look: string }>> = {
  running: { icon: LoaderCircle, look: 'animate-spin text-accent' },
  waiting: { icon: Clock, look: 'text-warn' },
  succeeded: { icon: CircleCheck, look: 'text-good' },
  failed: { icon: CircleAlert, look: 'text-bad' },
  skipped: { icon: CircleDashed, look: 'text-muted' },
};

/** The steps of a run as they go on; each change is read aloud. */
export function StepList({ steps, isWaiting }: { steps: readonly RunStep[]; isWaiting: boolean }) {
  const { t } = useTranslation('actions');
  return (
    <div role="log" aria-label={t('run.steps')}>
      <ol className="flex flex-col gap-2">
        {steps.length === 0 && (
          <li className="flex items-center gap-2 text-sm text-muted">
            <Circle className="size-4" aria-hidden />
            {t(isWaiting ? 'run.notBegun' : 'run.noSteps')}
          </li>
        )}
        {steps.map((step) => (
          <StepRow key={step.id} step={step} />
        ))}
      </ol>
    </div>
  );
}

function StepRow({ step: { id, state, attempt, ms, statusCode, error, risk, waitMs } }: { step: RunStep }) {
  const { t } = useTranslation('actions');
  const format = useFormatter();
  const { icon: Icon, look } = ICONS[state];
  const facts = [
    attempt > 1 && t('run.attempt', { count: attempt }),
    risk !== undefined && risk !== 'read' && t(`risks.${risk}`),
    statusCode !== undefined && t('run.httpStatus', { status: statusCode }),
    ms !== undefined && format.milliseconds(ms),
    waitMs !== undefined && waitMs > 0 && t('run.waits', { time: format.milliseconds(waitMs) }),
  ].filter((fact) => typeof fact === 'string');
  return (
    <li className="flex items-start gap-2.5 text-sm">
      <Icon className={clsx('mt-0.5 size-4 shrink-0', look)} aria-hidden />
      <div className="min-w-0">
        <p>
          <code className="font-medium">{id}</code> {t(`stepStates.${state}`)}
          {facts.length > 0 && <span className="text-muted"> · {facts.join(' · ')}</span>}
        </p>
        {error && (
          <p className="break-words text-bad">
            <code>{error.code}</code> {error.message}
          </p>
        )}
      </div>
    </li>
  );
}
