import { CircleCheck, CircleX } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { type useTestConnection } from '../queries/connection-mutations.ts';

interface TestConnectionDialogProps {
  isOpen: boolean;
  onClose: () => void;
  label: string;
  /** The test, which the code that opens the dialog has started. */
  test: ReturnType<typeof useTestConnection>;
}

/** Shows the result of a test of a connection. */
export function TestConnectionDialog({ isOpen, onClose, label, test }: TestConnectionDialogProps) {
  const { t } = useTranslation('connections');
  const { data, error, isPending } = test;
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title={t('test.title', { label })}>
      {isPending && <Skeleton rows={1} />}
      {error && <ProblemNote error={error} />}
      {data && (
        <div role="status" className="flex gap-3">
          {data.ok ? (
            <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" aria-hidden />
          ) : (
            <CircleX className="mt-0.5 size-5 shrink-0 text-bad" aria-hidden />
          )}
          <div className="flex min-w-0 flex-col gap-1">
            <p className="font-medium">{data.ok ? t('test.ok') : t('test.failed')}</p>
            {data.ok ? (
              <p className="text-sm text-muted">{t('models.count', { count: data.models.length })}</p>
            ) : (
              <>
                <p className="text-sm break-words">{data.message}</p>
                {data.code && (
                  <a href={`/console/errors#${data.code}`} className="text-sm underline">
                    <code>{data.code}</code>
                  </a>
                )}
              </>
            )}
          </div>
        </div>
      )}
      <DialogActions>
        <Button isBusy={isPending} onClick={() => test.mutate()}>
          {t('test.again')}
        </Button>
        <Button look="primary" onClick={onClose}>
          {t('done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
