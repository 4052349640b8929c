import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/reset')({ component: ResetPage });

function ResetPage() {
  const { t } = useTranslation('entry');
  return <Page title={t('title')}>{null}</Page>;
}
