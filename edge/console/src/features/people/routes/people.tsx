import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/people')({ component: PeoplePage });

function PeoplePage() {
  const { t } = useTranslation('people');
  return <Page title={t('title')}>{null}</Page>;
}
