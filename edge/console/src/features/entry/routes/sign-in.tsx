import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/sign-in')({ component: SignInPage });

function SignInPage() {
  const { t } = useTranslation('entry');
  return <Page title={t('title')}>{null}</Page>;
}
