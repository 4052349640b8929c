import { CircleAlert, RotateCw } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { asProblem } from '../api/problem.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';

interface ProblemNoteProps {
  error: unknown;
  onRetry?: (() => void) | undefined;
}

/** What happened, what to do, the request id, and the page of the error. */
export function ProblemNote({ error, onRetry }: ProblemNoteProps) {
  const { t } = useTranslation();
  const problem = asProblem(error);
  const known = `problems.${problem.code}`;
  const advice = t(known, { defaultValue: t('problems.other') });
  return (
    <div role="alert" className="flex gap-3 rounded-lg border border-bad/40 bg-bad-soft p-3 text-sm">
      <CircleAlert className="mt-0.5 size-4 shrink-0 text-bad" aria-hidden />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <p className="font-medium break-words">{problem.status === 0 ? t('problems.noAnswer') : problem.message}</p>
        <p>{advice}</p>
        {problem.retryAfter !== undefined && <p>{t('problems.retryAfter', { count: problem.retryAfter })}</p>}
        {problem.status !== 0 && (
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
            <a href={`/console/errors#${problem.code}`} className="underline">
              <code>{problem.code}</code>
            </a>
            {problem.requestId && (
              <span className="inline-flex items-center gap-1">
                {t('requestId')} <code className="break-all">{problem.requestId}</code>
                <CopyButton text={problem.requestId} what={t('requestId')} />
              </span>
            )}
          </p>
        )}
      </div>
      {onRetry && (
        <Button size="small" onClick={onRetry}>
          <RotateCw className="size-3.5" aria-hidden />
          {t('tryAgain')}
        </Button>
      )}
    </div>
  );
}
