import { useTranslation } from 'react-i18next';

/** In place of what is being read. */
export function Skeleton({ rows = 5 }: { rows?: number }) {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t('loading')} className="flex flex-col gap-3">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="h-9 animate-pulse rounded-md bg-line/60" />
      ))}
    </div>
  );
}
