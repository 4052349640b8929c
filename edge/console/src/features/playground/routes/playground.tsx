import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/playground')({ component: PlaygroundPage });

function PlaygroundPage() {
  const { t } = useTranslation('playground');
  return <Page title={t('title')}>{null}</Page>;
}
