import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { type ActionDetail, eligibilityQuery } from '../queries/catalog.ts';
import { RunForm } from './run-form.tsx';
import { RunView } from './run-view.tsx';

/** Runs an action, and shows the run as it goes. */
export function RunTab({ workspaceId, action }: { workspaceId: string; action: ActionDetail }) {
  const { t } = useTranslation('actions');
  const may = usePermissionCheck();
  const [runId, setRunId] = useState<string>();
  const { data: isEligible } = useQuery({ ...eligibilityQuery(workspaceId), enabled: may('data.read', workspaceId) });
  if (!may('data.write', workspaceId)) return <p className="text-sm text-muted">{t('form.mayNot')}</p>;
  if (action.status === 'disabled') return <p className="text-sm text-muted">{t('form.isDisabled')}</p>;
  // The note above says why.
  if (isEligible === false) return null;
  return (
    <div className="grid items-start gap-4 xl:grid-cols-[minmax(20rem,28rem)_1fr]">
      <RunForm key={`${action.slug} ${action.version}`} workspaceId={workspaceId} action={action} onStarted={({ id }) => setRunId(id)} />
      {runId === undefined ? (
        <p className="text-sm text-muted">{t('form.willShow')}</p>
      ) : (
        <div className="flex min-w-0 flex-col gap-3">
          <Link
            to="/w/$workspaceId/actions/$slug/runs/$runId"
            params={{ workspaceId, slug: action.slug, runId }}
            className="text-sm text-accent underline"
          >
            {t('run.ownPage')}
          </Link>
          <RunView key={runId} place={{ workspaceId, slug: action.slug, runId }} />
        </div>
      )}
    </div>
  );
}
