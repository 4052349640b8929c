import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { workspaceQueryKey } from '../../../live/change-events.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { cancelRun, type Run, runEventsQuery, type RunRef, runQuery } from '../queries/runs.ts';
import { DescriptionItem, DescriptionList } from './description-list.tsx';
import { RunBadge } from './run-badge.tsx';
import { RunOutput } from './run-output.tsx';
import { isRunInProgress } from './run-statuses.ts';
import { toRunSteps } from './run-steps.ts';
import { RunEffects, RunVerdict } from './run-verdict.tsx';
import { StepList } from './step-list.tsx';

/** One run: its steps as they happen, then how it ended, what it wrote and what it answered. */
export function RunView({ place }: { place: RunRef }) {
  const { t } = useTranslation('actions');
  const run = useQuery(runQuery(place));
  const events = useQuery(runEventsQuery(place));
  if (run.error) return <ProblemNote error={run.error} onRetry={() => void run.refetch()} />;
  if (!run.data) return <Skeleton />;
  const isLive = isRunInProgress(run.data.status);
  return (
    <div className="flex flex-col gap-4">
      <RunVerdict run={run.data} workspaceId={place.workspaceId} />
      <Card
        title={t('run.steps')}
        actions={
          <span className="flex items-center gap-2">
            <RunBadge status={run.data.status} />
            {isLive && <CancelButton run={run.data} place={place} />}
          </span>
        }
      >
        <StepList steps={toRunSteps(events.data ?? [])} isWaiting={isLive} />
        {events.error && (
          <div className="mt-3">
            <ProblemNote error={events.error} onRetry={() => void events.refetch()} />
          </div>
        )}
      </Card>
      {!isLive && run.data.output && <RunOutput output={run.data.output} workspaceId={place.workspaceId} />}
      <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        <RunEffects effects={run.data.effects} />
        <RunFacts run={run.data} />
      </div>
    </div>
  );
}

function RunFacts({ run }: { run: Run }) {
  const { t } = useTranslation('actions');
  const format = useFormatter();
  const took = run.started_at && run.ended_at ? Date.parse(run.ended_at) - Date.parse(run.started_at) : undefined;
  return (
    <Card title={t('facts')}>
      <DescriptionList>
        <DescriptionItem name={t('run.id')}>
          <span className="flex items-center gap-1">
            <code className="break-all">{run.id}</code>
            <CopyButton text={run.id} what={t('run.id')} />
          </span>
        </DescriptionItem>
        <DescriptionItem name={t('columns.version')}>{run.version}</DescriptionItem>
        <DescriptionItem name={t('run.created')}>{format.dateTime(run.created_at)}</DescriptionItem>
        {run.ended_at && <DescriptionItem name={t('run.ended')}>{format.dateTime(run.ended_at)}</DescriptionItem>}
        {took !== undefined && <DescriptionItem name={t('run.took')}>{format.milliseconds(took)}</DescriptionItem>}
        {run.connection_id && (
          <DescriptionItem name={t('columns.connection')}>
            <code className="break-all">{run.connection_id}</code>
          </DescriptionItem>
        )}
      </DescriptionList>
    </Card>
  );
}

function CancelButton({ run, place }: { run: Run; place: RunRef }) {
  const { t } = useTranslation('actions');
  const mayCancel = usePermissionCheck()('data.write', place.workspaceId);
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const cancel = useMutation({
    mutationFn: () => cancelRun(place),
    onSettled: () => queries.invalidateQueries({ queryKey: workspaceQueryKey(place.workspaceId, 'action-runs') }),
  });
  if (!mayCancel || run.status === 'cancelling') return null;
  return (
    <>
      <Button size="small" look="danger" onClick={() => setAsking(true)}>
        {t('run.cancel')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('run.cancelTitle')}
        action={t('run.cancel')}
        onConfirm={() => cancel.mutateAsync()}
      >
        {t('run.cancelText')}
      </ConfirmDialog>
    </>
  );
}
