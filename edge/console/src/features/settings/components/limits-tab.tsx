import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { type QuotaUse } from '../../../api/quota.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { workspaceQuery } from '../../../session/all-workspaces.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { workspaceCapabilitiesQuery } from '../queries/gateway.ts';
import { LIMIT_SETTINGS } from './limit-settings.ts';
import { useQuotaText } from './use-quota-text.ts';

const METRICS = ['requests', 'tokens', 'audio_seconds'] as const;

/** What bounds this workspace, what works in it, and which settings bound the gateway. */
export function LimitsTab({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('settings');
  const may = usePermissionCheck();
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      <Card title={t('limits.workspace')}>
        <WorkspaceBounds workspaceId={workspaceId} />
      </Card>
      {may('data.read', workspaceId) && (
        <Card title={t('limits.features')}>
          <Features workspaceId={workspaceId} />
        </Card>
      )}
      <Card title={t('limits.gateway')} className="xl:col-span-2">
        <p className="mb-3 max-w-prose text-sm text-muted">{t('limits.gatewayText')}</p>
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[auto_1fr]">
          {LIMIT_SETTINGS.map(({ setting, name }) => (
            <div key={setting} className="contents">
              <dt>
                <code className="break-all">{setting}</code>
              </dt>
              <dd className="text-muted">{t(`limits.settings.${name}`)}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  );
}

function WorkspaceBounds({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('settings');
  const format = useFormatter();
  const quotaText = useQuotaText();
  const { data: workspace, error, refetch } = useQuery(workspaceQuery(workspaceId));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!workspace) return <Skeleton rows={3} />;
  const { quotas, quota_use: uses = [] } = workspace;
  const rows: { name: string; text: string; use?: QuotaUse | undefined }[] = [
    ...METRICS.map((metric) => ({
      name: t(`quota.metrics.${metric}`),
      text: quotaText(quotas[metric]),
      use: uses.find((use) => use.metric === metric),
    })),
    {
      name: t('workspaces.concurrency'),
      text: workspace.max_concurrency === null ? t('quota.default') : format.number(workspace.max_concurrency),
    },
  ];
  return (
    <>
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-2 text-sm">
        {rows.map(({ name, text, use }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-end tabular-nums">
              {text}
              {use && <Used name={name} use={use} />}
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-sm text-muted">{t('limits.defaults')}</p>
    </>
  );
}

/** How much of a quota is used, also of one that the gateway sets. */
function Used({ name, use: { used, limit, window_seconds } }: { name: string; use: QuotaUse }) {
  const { t } = useTranslation('settings');
  const format = useFormatter();
  const text = t('limits.used', { used: format.number(used), limit: format.number(limit), window: format.duration(window_seconds) });
  return <Meter label={name} value={used} max={limit} text={text} isStacked />;
}

function Features({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(workspaceCapabilitiesQuery(workspaceId));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton rows={4} />;
  const { chat, conversations, projects, files, project_files, images, audio, actions } = data.capabilities;
  const features = {
    chat,
    conversations,
    projects,
    files,
    project_files,
    images,
    speech: audio.speech_generation,
    transcription: audio.transcription,
    actions,
  };
  return (
    <ul className="flex flex-col gap-2 text-sm">
      {Object.entries(features).map(([name, { enabled, reason }]) => (
        <li key={name} className="flex flex-wrap items-center justify-between gap-2">
          <span>{t(`limits.feature.${name}`)}</span>
          <span className="flex flex-wrap items-center gap-2">
            {reason && <span className="text-muted">{t(`limits.reasons.${reason}`)}</span>}
            <Badge tone={enabled ? 'good' : 'neutral'}>{t(enabled ? 'limits.on' : 'limits.off')}</Badge>
          </span>
        </li>
      ))}
    </ul>
  );
}
