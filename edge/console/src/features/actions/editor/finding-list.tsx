import { CircleAlert, CircleCheck, LoaderCircle } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Finding } from '../queries/documents.ts';

interface FindingListProps {
  isChecking: boolean;
  findings: readonly Finding[];
  onReveal: (pointer: string) => void;
}

/** What the gateway finds in the document, or that it finds nothing; read aloud when it changes. */
export function FindingList({ isChecking, findings, onReveal }: FindingListProps) {
  const { t } = useTranslation('actions');
  return (
    <section aria-label={t('editor.findings')} className="flex flex-col gap-2 text-sm">
      <p role="status" className="flex items-center gap-2">
        {isChecking ? (
          <>
            <LoaderCircle className="size-4 animate-spin" aria-hidden />
            {t('editor.checking')}
          </>
        ) : findings.length === 0 ? (
          <>
            <CircleCheck className="size-4 text-good" aria-hidden />
            {t('editor.valid')}
          </>
        ) : (
          <>
            <CircleAlert className="size-4 text-bad" aria-hidden />
            {t('editor.found', { count: findings.length })}
          </>
        )}
      </p>
      {findings.length > 0 && (
        <ul className="flex max-h-56 flex-col gap-1 overflow-y-auto">
          {findings.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              <button
                type="button"
                className="w-full rounded-md px-2 py-1 text-start break-words hover:bg-canvas"
                onClick={() => onReveal(path)}
              >
                <code className="text-bad">{path || '/'}</code> {message}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
