import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/conversations')({ component: ConversationListPage });

function ConversationListPage() {
  const { t } = useTranslation('conversations');
  return <Page title={t('title')}>{null}</Page>;
}
