import { useQuery } from '@tanstack/react-query';
import { ExternalLink, RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { Snippets } from '../../../ui/snippets.tsx';
import { type GatewayStatus, gatewayStatusQuery } from '../queries/gateway.ts';
import { type HealthFinding, toHealthFindings, summarizeHealth } from './health-findings.ts';

/** Which gateway this is, its readiness, how to back it up, and where the rest is documented. */
export function AboutTab({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('settings');
  const may = usePermissionCheck();
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      {may('status.read') && <Gateway workspaceId={workspaceId} />}
      <Card title={t('about.documents')}>
        <ul className="flex flex-col gap-2 text-sm">
          {LINKS.map(({ name, href }) => (
            <li key={name}>
              <a href={href} target="_blank" rel="noreferrer" className="inline-flex items-center gap-1 text-accent underline">
                {t(`about.links.${name}`)}
                <ExternalLink className="size-3.5" aria-hidden />
              </a>
            </li>
          ))}
        </ul>
        <p className="mt-3 text-sm text-muted">{t('about.documentsText')}</p>
      </Card>
      <Card title={t('backup.title')} className="xl:col-span-2">
        <p className="mb-3 max-w-prose text-sm text-muted">{t('backup.text')}</p>
        <Snippets label={t('backup.title')} snippets={BACKUPS.map(({ name, code }) => ({ name, code, label: t(`backup.ways.${name}`) }))} />
        <p className="mt-3 max-w-prose text-sm text-muted">{t('backup.folder')}</p>
      </Card>
    </div>
  );
}

const LINKS = [
  { name: 'reference', href: '/docs-public' },
  { name: 'openapi', href: '/openapi-public.json' },
  { name: 'errors', href: '/console/errors' },
] as const;

/** As `docs/operations.md` has them. */
const BACKUPS = [
  { name: 'backup', code: 'npx parley backup parley-backup\ncp .parley/secrets/secret-keys somewhere-safe' },
  { name: 'restore', code: 'PARLEY_DATA_DIR=restored npx parley restore parley-backup --secret-keys somewhere-safe' },
  { name: 'compose', code: 'docker compose exec postgres pg_dump --username=parley --format=custom parley > parley.dump' },
] as const;

function Gateway({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('settings');
  const { data: status, error, refetch, isFetching } = useQuery(gatewayStatusQuery(workspaceId));
  const again = (
    <Button size="small" isBusy={isFetching} onClick={() => void refetch()}>
      {!isFetching && <RotateCw className="size-3.5" aria-hidden />}
      {t('about.again')}
    </Button>
  );
  return (
    <Card title={t('about.gateway')} actions={again}>
      {error ? <ProblemNote error={error} onRetry={() => void refetch()} /> : status ? <Stands status={status} /> : <Skeleton />}
    </Card>
  );
}

const TONES = { ok: 'good', warning: 'warn', failed: 'bad' } as const;

function Stands({ status }: { status: GatewayStatus }) {
  const { t } = useTranslation('settings');
  const format = useFormatter();
  const findings = toHealthFindings(status);
  const verdict = summarizeHealth(findings);
  const facts = [
    { name: t('about.version'), text: status.version },
    { name: t('about.topology'), text: t(`about.topologies.${status.topology}`) },
    { name: t('about.instance'), text: status.instance },
  ];
  return (
    <div className="flex flex-col gap-4">
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
        {facts.map(({ name, text }) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="break-all">{text}</dd>
          </div>
        ))}
        <dt className="text-muted">{t('about.started')}</dt>
        <dd title={format.dateTime(status.started_at)}>
          <RelativeTime at={status.started_at} />
        </dd>
      </dl>
      <p role="status" className="font-medium">
        {t(`about.verdicts.${verdict}`, { count: findings.filter(({ state }) => state === 'failed').length })}
      </p>
      <ul className="flex flex-col gap-2 text-sm">
        {findings.map((finding) => (
          <Part key={finding.name} finding={finding} />
        ))}
      </ul>
    </div>
  );
}

function Part({ finding: { name, state, detail, ms, advice } }: { finding: HealthFinding }) {
  const { t } = useTranslation('settings');
  const format = useFormatter();
  return (
    <li className="grid grid-cols-[4.5rem_1fr] gap-2">
      <span>
        <Badge tone={TONES[state]}>{t(`about.states.${state}`)}</Badge>
      </span>
      <span className="min-w-0 break-words">
        <code>{name}</code>{' '}
        <span className="text-muted">{[ms === undefined ? '' : format.milliseconds(ms), detail].filter(Boolean).join(' · ')}</span>
        {advice && <span className="block text-muted">{t(`about.advice.${advice}`, { part: name })}</span>}
      </span>
    </li>
  );
}
