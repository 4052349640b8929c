import { TriangleAlert } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Input } from '../../../ui/field.tsx';
import { Snippets } from '../../../ui/snippets.tsx';
import { toKeySnippets } from '../key-snippets.ts';
import { type CreatedKey } from '../queries/keys.ts';

/** A new key: the only time it is shown, and how it is used. */
export function CreatedKeyView({ created }: { created: CreatedKey }) {
  const { t } = useTranslation('keys');
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-2 rounded-lg border border-accent bg-accent-soft px-3 py-2">
        <Input readOnly aria-label={t('created.key')} value={created.key} className="font-mono text-sm" />
        <CopyButton text={created.key} what={t('created.key')} />
      </div>
      <p className="flex items-start gap-2 text-sm text-warn">
        <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
        {t('created.warning')}
      </p>
      <div>
        <h3 className="mb-2">{t('created.use')}</h3>
        <Snippets label={t('created.use')} snippets={toKeySnippets(location.origin, created)} />
      </div>
    </div>
  );
}
