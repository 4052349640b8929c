import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/invitation')({ component: InvitationPage });

function InvitationPage() {
  const { t } = useTranslation('entry');
  return <Page title={t('title')}>{null}</Page>;
}
