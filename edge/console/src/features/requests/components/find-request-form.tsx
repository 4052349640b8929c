import { useNavigate } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Input } from '../../../ui/field.tsx';

/** Opens a request by the id that its answer had. */
export function FindRequestForm({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('requests');
  const navigate = useNavigate();
  const find = (form: FormData) => {
    const id = form.get('id');
    const requestId = typeof id === 'string' ? id.trim() : '';
    if (requestId) void navigate({ to: '/w/$workspaceId/requests/$requestId', params: { workspaceId, requestId } });
  };
  return (
    <form role="search" aria-label={t('findById')} action={find} className="flex w-full gap-2 sm:w-auto">
      <Input
        name="id"
        aria-label={t('requestId')}
        placeholder={t('findById')}
        className="min-w-0 flex-1 sm:w-72"
        autoComplete="off"
        spellCheck={false}
      />
      <Button type="submit">
        <Search className="size-4" aria-hidden />
        {t('open')}
      </Button>
    </form>
  );
}
