import { createLazyRoute, Link, useLocation } from '@tanstack/react-router';
import { SearchX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Input } from '../../../ui/field.tsx';
import { Page } from '../../../ui/page.tsx';
import { ERROR_CODE_ENTRIES, findCodes } from '../catalogue.ts';
import { ErrorEntry } from '../components/error-entry.tsx';

export const Route = createLazyRoute('/errors')({ component: ErrorsPage });

/** Open to everybody: it is where the links of errors lead. */
function ErrorsPage() {
  const { t } = useTranslation('errors');
  const { q = '' } = Route.useSearch();
  const navigate = Route.useNavigate();
  const hash = useLocation({ select: (location) => decodeURIComponent(location.hash) });
  const meant = ERROR_CODE_ENTRIES.find(({ code }) => code.toLowerCase() === hash.toLowerCase())?.code;
  const found = findCodes(q);
  return (
    <div className="min-h-dvh">
      <header className="flex items-center justify-between border-b bg-surface px-4 py-2.5">
        <span className="text-lg font-semibold">Parley</span>
        <Link to="/" className="text-sm underline">
          {t('toConsole')}
        </Link>
      </header>
      <main id="main" className="mx-auto w-full max-w-4xl p-4 md:p-6">
        <Page title={t('title')} lead={t('lead')}>
          <div role="search" className="flex flex-wrap items-center gap-3">
            <Input
              type="search"
              aria-label={t('search')}
              placeholder={t('search')}
              className="max-w-md"
              value={q}
              onChange={({ target }) => void navigate({ search: { q: target.value || undefined }, replace: true })}
            />
            <p role="status" className="text-sm text-muted">
              {t('count', { count: found.length })}
            </p>
          </div>
          {hash !== '' && meant === undefined && (
            <p role="status" className="rounded-lg bg-warn-soft px-3 py-2 text-sm break-all text-warn">
              {t('unknown', { code: hash })}
            </p>
          )}
          {found.length === 0 && (
            <EmptyState icon={SearchX} title={t('none')}>
              {t('noneText')}
            </EmptyState>
          )}
          <div className="flex flex-col gap-3">
            {found.map((error) => (
              <ErrorEntry key={error.code} error={error} isMeant={error.code === meant} />
            ))}
          </div>
        </Page>
      </main>
    </div>
  );
}
