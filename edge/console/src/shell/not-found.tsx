import { Link } from '@tanstack/react-router';
import { Compass } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { buttonVariants } from '../ui/button.tsx';
import { EmptyState } from '../ui/empty-state.tsx';

/** An address without a page. */
export function NotFound() {
  const { t } = useTranslation();
  return (
    <main className="mx-auto max-w-lg p-8">
      <EmptyState
        icon={Compass}
        title={t('notFound.title')}
        action={
          <Link to="/" className={buttonVariants({ look: 'primary' })}>
            {t('notFound.home')}
          </Link>
        }
      >
        {t('notFound.text')}
      </EmptyState>
    </main>
  );
}
