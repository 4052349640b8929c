import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { announce } from '../../../ui/announcer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { findInputSchema } from '../editor/document-text.ts';
import { type ActionDetail, ACTIONS_QUERY_KEY } from '../queries/catalog.ts';
import { setActionEnabled, versionQuery } from '../queries/documents.ts';
import { DescriptionItem, DescriptionList } from './description-list.tsx';
import { RiskBadge } from './risk-badge.tsx';

/** An overview of an action: its inputs, its outputs, and its effects on other systems. */
export function ActionOverview({ action, hasSchema }: { action: ActionDetail; hasSchema: boolean }) {
  const { t } = useTranslation('actions');
  const format = useFormatter();
  return (
    <div className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      <Card title={t('inputs')}>
        {action.inputs.length === 0 ? (
          <p className="text-sm text-muted">{t('noInputs')}</p>
        ) : (
          <dl className="flex flex-col gap-3">
            {action.inputs.map(({ name, type, required, description }) => (
              <div key={name}>
                <dt className="flex flex-wrap items-center gap-2">
                  <code className="font-medium">{name}</code>
                  <Badge>{t(`types.${type}`)}</Badge>
                  {required && <Badge tone="accent">{t('required')}</Badge>}
                </dt>
                <dd className="text-sm text-muted">{description}</dd>
              </div>
            ))}
          </dl>
        )}
        {hasSchema && action.inputs.length > 0 && <InputSchema action={action} />}
      </Card>
      <Card title={t('outputs')}>
        {action.outputs.length === 0 ? (
          <p className="text-sm text-muted">{t('noOutputs')}</p>
        ) : (
          <ul className="flex flex-wrap gap-2">
            {action.outputs.map((name) => (
              <li key={name}>
                <code className="rounded bg-canvas px-1.5 py-0.5">{name}</code>
              </li>
            ))}
          </ul>
        )}
      </Card>
      <Card title={t('effects')}>
        <div className="flex flex-col items-start gap-2">
          <RiskBadge risk={action.risk} />
          <p className="text-sm text-muted">{t(`riskTexts.${action.risk}`)}</p>
          <p className="text-sm text-muted">{t(action.requires_connection ? 'connectionNeeded' : 'connectionNotNeeded')}</p>
        </div>
      </Card>
      <Card title={t('facts')} actions={<EnabledSwitch action={action} />}>
        <DescriptionList>
          <DescriptionItem name={t('columns.status')}>
            <Badge tone={action.status === 'active' ? 'good' : 'neutral'}>{t(`actionStatuses.${action.status}`)}</Badge>
          </DescriptionItem>
          <DescriptionItem name={t('columns.version')}>{action.version}</DescriptionItem>
          <DescriptionItem name={t('steps')}>{action.step_count}</DescriptionItem>
          <DescriptionItem name={t('columns.published')}>{format.dateTime(action.published_at)}</DescriptionItem>
          <DescriptionItem name={t('firstPublished')}>{format.dateTime(action.created_at)}</DescriptionItem>
        </DescriptionList>
      </Card>
    </div>
  );
}

/** What programs may send, with every bound that the document sets; loaded when the user opens it. */
function InputSchema({ action: { slug, version } }: { action: ActionDetail }) {
  const { t } = useTranslation('actions');
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useQuery({ ...versionQuery(slug, version), enabled: isOpen });
  const schema = data && findInputSchema(data.document);
  return (
    <details className="mt-3" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className="mb-2 cursor-pointer text-sm text-accent underline">{t('schema')}</summary>
      {error && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton rows={3} />}
      {schema && <Snippet label={t('schema')} code={JSON.stringify(schema, undefined, 2)} />}
    </details>
  );
}

function EnabledSwitch({ action: { slug, status, title } }: { action: ActionDetail }) {
  const { t } = useTranslation('actions');
  const mayPublish = usePermissionCheck()('actions.publish');
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const isActive = status === 'active';
  const change = useMutation({
    mutationFn: (enabled: boolean) => setActionEnabled(slug, enabled),
    onSuccess: async (_, enabled) => {
      await queries.invalidateQueries({ queryKey: ACTIONS_QUERY_KEY });
      announce(t(enabled ? 'enabled' : 'disabled', { title }));
    },
  });
  if (!mayPublish) return null;
  return (
    <>
      <Button size="small" isBusy={change.isPending} onClick={() => (isActive ? setAsking(true) : change.mutate(true))}>
        {t(isActive ? 'disable' : 'enable')}
      </Button>
      {change.error && !isAsking && <ProblemNote error={change.error} />}
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('disableTitle', { title })}
        action={t('disable')}
        onConfirm={() => change.mutateAsync(false)}
      >
        {t('disableText')}
      </ConfirmDialog>
    </>
  );
}
