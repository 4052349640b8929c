import { createLazyRoute } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/projects')({ component: ProjectListPage });

function ProjectListPage() {
  const { t } = useTranslation('projects');
  return <Page title={t('title')}>{null}</Page>;
}
