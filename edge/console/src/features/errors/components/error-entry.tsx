import { clsx } from 'clsx';
import { RotateCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Badge } from '../../../ui/badge.tsx';
import { Markdown } from '../../../ui/markdown.tsx';
import { type Condition, type ErrorCodeEntry } from '../catalogue.ts';

/** One code: what it means and what to do. The one that a link leads to is in sight, and marked. */
export function ErrorEntry({ error: { code, conditions }, isMeant }: { error: ErrorCodeEntry; isMeant: boolean }) {
  const { t } = useTranslation('errors');
  const entry = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!isMeant) return;
    entry.current?.scrollIntoView({ block: 'start' });
    entry.current?.focus({ preventScroll: true });
  }, [isMeant]);
  const [first] = conditions;
  return (
    <article
      ref={entry}
      id={code}
      tabIndex={-1}
      aria-labelledby={`${code}-heading`}
      className={clsx('scroll-mt-4 rounded-xl border bg-surface p-4 outline-none', isMeant && 'border-accent ring-2 ring-accent')}
    >
      <div className="flex flex-wrap items-center gap-2">
        <h2 id={`${code}-heading`} className="min-w-0 break-all">
          <a href={`#${code}`} className="hover:underline">
            <code>{code}</code>
          </a>
        </h2>
        {isMeant && <Badge tone="accent">{t('meant')}</Badge>}
        <Badge tone={(first?.http ?? 0) >= 500 ? 'bad' : 'warn'}>{t('status', { status: first?.http })}</Badge>
        <Badge>{first?.type}</Badge>
        {first?.retryable === true && (
          <Badge tone="good">
            <RotateCw className="size-3" aria-hidden />
            {t('retryable')}
          </Badge>
        )}
      </div>
      {conditions.map((condition) => (
        <Explanation key={condition.meaning} condition={condition} />
      ))}
    </article>
  );
}

/** The catalogue is in English in every language. */
function Explanation({ condition: { meaning, cause, remedy, retry } }: { condition: Condition }) {
  const { t } = useTranslation('errors');
  const parts = [['cause', cause], ['remedy', remedy], ...(retry === undefined ? [] : [['retry', retry] as const])] as const;
  return (
    <div className="mt-3 flex flex-col gap-2">
      <div lang="en" className="font-medium">
        <Markdown text={meaning} />
      </div>
      <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[8rem_1fr]">
        {parts.map(([name, text]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{t(name)}</dt>
            <dd lang="en">
              <Markdown text={text} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
