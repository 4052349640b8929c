import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/account')({ component: AccountPage });

function AccountPage() {
  const { t } = useTranslation('account');
  return <Page title={t('title')}>{null}</Page>;
}
