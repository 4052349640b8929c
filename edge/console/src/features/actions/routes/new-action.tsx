import { createLazyRoute, Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { Page } from '../../../ui/page.tsx';
import { DocumentEditor } from '../editor/document-editor.tsx';

export const Route = createLazyRoute('/signed-in/w/$workspaceId/new-action')({ component: NewActionPage });

function NewActionPage() {
  const { t } = useTranslation('actions');
  const { workspaceId } = Route.useParams();
  return (
    <Page
      title={t('newAction')}
      lead={t('editor.lead')}
      actions={
        <Link to="/w/$workspaceId/actions" params={{ workspaceId }} className="text-sm text-accent underline">
          {t('back')}
        </Link>
      }
    >
      <DocumentEditor workspaceId={workspaceId} slug="my-action" />
    </Page>
  );
}
