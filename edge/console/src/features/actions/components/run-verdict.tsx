import { Link } from '@tanstack/react-router';
import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, CircleSlash, TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Badge } from '../../../ui/badge.tsx';
import { buttonVariants } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Run } from '../queries/runs.ts';
import { RiskBadge } from './risk-badge.tsx';

const LOOKS = {
  succeeded: { icon: CircleCheck, look: 'bg-good-soft text-good' },
  needs_review: { icon: TriangleAlert, look: 'bg-warn-soft text-warn' },
  failed: { icon: CircleAlert, look: 'bg-bad-soft text-bad' },
  cancelled: { icon: CircleSlash, look: 'bg-line/60 text-text' },
} as const;

/** How a run ended, what that means, and what to do about one that needs a look. */
export function RunVerdict({ run, workspaceId }: { run: Run; workspaceId: string }) {
  const { t } = useTranslation('actions');
  const may = usePermissionCheck();
  if (!(run.status in LOOKS)) return null;
  const status = run.status as keyof typeof LOOKS;
  const { icon: Icon, look } = LOOKS[status];
  // A cancelled run may have written too.
  const isInDoubt = run.verdict === 'needs_review';
  return (
    <section aria-label={t('run.verdict')} className={clsx('flex gap-3 rounded-lg p-3 text-sm', look)}>
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="flex flex-col gap-1">
        <p className="font-medium">{t(`verdicts.${status}.title`)}</p>
        <p>{t(`verdicts.${status}.text`)}</p>
        {run.error && (
          <p className="break-words">
            <a href={`/console/errors#${run.error.code}`} className="underline">
              <code>{run.error.code}</code>
            </a>{' '}
            {run.error.message}
          </p>
        )}
        {isInDoubt && (
          <>
            <ol className="list-decimal ps-5">
              <li>{t(run.effects.some(({ outcome }) => outcome === 'unknown') ? 'review.checkUnknown' : 'review.checkApplied')}</li>
              <li>{t('review.decide')}</li>
              <li>{t('review.stays')}</li>
            </ol>
            {may('data.write', workspaceId) && (
              <div className="mt-1">
                <Link
                  to="/w/$workspaceId/actions/$slug"
                  params={{ workspaceId, slug: run.action }}
                  search={{ tab: 'run' }}
                  className={buttonVariants({ size: 'small' })}
                >
                  {t('review.runAgain')}
                </Link>
              </div>
            )}
          </>
        )}
      </div>
    </section>
  );
}

/** What a run wrote in other systems. */
export function RunEffects({ effects }: Pick<Run, 'effects'>) {
  const { t } = useTranslation('actions');
  const format = useFormatter();
  return (
    <Card title={t('run.effects')}>
      {effects.length === 0 ? (
        <p className="text-sm text-muted">{t('run.noEffects')}</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {effects.map(({ step_id, risk, outcome, at }) => (
            <li key={step_id} className="flex flex-wrap items-center gap-2">
              <code className="font-medium">{step_id}</code>
              <RiskBadge risk={risk} />
              <Badge tone={outcome === 'applied' ? 'neutral' : 'warn'}>{t(`outcomes.${outcome}`)}</Badge>
              <time dateTime={at} className="text-muted">
                {format.dateTime(at)}
              </time>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}
