import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type ActionDetail } from '../queries/catalog.ts';
import { type AuditEntry, historyQuery, versionsQuery } from '../queries/documents.ts';

/** Which version new runs use, and what was published, enabled and disabled before, by whom. */
export function VersionList({ workspaceId, action }: { workspaceId: string; action: ActionDetail }) {
  const { t } = useTranslation('actions');
  const may = usePermissionCheck();
  const mayAudit = may('audit.read');
  const { data: history, error, refetch, isPending } = useQuery({ ...historyQuery(action.slug), enabled: mayAudit });
  return (
    <>
      <Card title={t('versions.current', { version: action.version })}>
        <p className="max-w-prose text-sm text-muted">{t('versions.how')}</p>
        <Published workspaceId={workspaceId} slug={action.slug} />
      </Card>
      {mayAudit && (
        <Card title={t('versions.history')}>
          {error ? (
            <ProblemNote error={error} onRetry={() => void refetch()} />
          ) : isPending ? (
            <Skeleton rows={2} />
          ) : history.length === 0 ? (
            <p className="text-sm text-muted">{t('versions.noHistory')}</p>
          ) : (
            <ol className="flex flex-col divide-y text-sm">
              {history.map((entry) => (
                <HistoryEntry key={entry.id} entry={entry} current={action.version} />
              ))}
            </ol>
          )}
        </Card>
      )}
    </>
  );
}

/** Every version, to be looked at, edited, or published again. */
function Published({ workspaceId, slug }: { workspaceId: string; slug: string }) {
  const { t } = useTranslation('actions');
  const format = useFormatter();
  const { data: versions, error, refetch } = useQuery(versionsQuery(slug));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!versions) return <Skeleton rows={2} />;
  return (
    <ul aria-label={t('tabs.versions')} className="mt-3 flex flex-col divide-y text-sm">
      {versions.map(({ version, published_at, current }) => (
        <li key={version} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
          <span className="font-medium">{t('versions.one', { version })}</span>
          {current && <Badge tone="good">{t('versions.isCurrent')}</Badge>}
          <time dateTime={published_at} className="text-muted">
            {t('versions.since', { time: format.dateTime(published_at) })}
          </time>
          <Link
            to="/w/$workspaceId/actions/$slug"
            params={{ workspaceId, slug }}
            search={{ tab: 'document', version }}
            aria-label={t('versions.openNamed', { version })}
            className="ms-auto text-accent underline"
          >
            {t('versions.open')}
          </Link>
        </li>
      ))}
    </ul>
  );
}

function HistoryEntry({ entry: { action, at, actor, details }, current }: { entry: AuditEntry; current: number }) {
  const { t } = useTranslation('actions');
  const format = useFormatter();
  const version = details['version'];
  const command =
    action === 'action.publish'
      ? t('versions.published', { version: String(version) })
      : t(details['enabled'] === false ? 'versions.disabled' : 'versions.enabled');
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2">
      <span className="font-medium">{command}</span>
      {version === current && <Badge tone="good">{t('versions.isCurrent')}</Badge>}
      <span className="text-muted">
        {t(`actors.${actor.kind}`)}
        {actor.id !== null && <code className="ms-1 text-xs">{actor.id}</code>}
      </span>
      <time dateTime={at} className="ms-auto text-muted">
        {format.dateTime(at)}
      </time>
    </li>
  );
}
