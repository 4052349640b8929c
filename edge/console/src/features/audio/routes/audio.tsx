import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/audio')({ component: AudioPage });

function AudioPage() {
  const { t } = useTranslation('audio');
  return <Page title={t('title')}>{null}</Page>;
}
