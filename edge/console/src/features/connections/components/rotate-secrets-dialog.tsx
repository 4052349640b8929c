import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { rotateSecrets } from '../queries/connection-mutations.ts';

/** Encrypts the secrets of all connections of the gateway with its newest key. */
export function RotateSecretsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation('connections');
  const rotate = useMutation({ mutationFn: rotateSecrets });
  const close = () => {
    rotate.reset();
    onClose();
  };
  return (
    <Dialog isOpen={isOpen} onClose={close} title={t('rotate.title')}>
      <div className="flex flex-col gap-3">
        <p>{t('rotate.text')}</p>
        {rotate.error && <ProblemNote error={rotate.error} />}
        {rotate.data && <p role="status">{t('rotate.done', { count: rotate.data.rotated, key: rotate.data.key_id })}</p>}
      </div>
      <DialogActions>
        <Button onClick={close}>{rotate.data ? t('done') : t('common:cancel')}</Button>
        {!rotate.data && (
          <Button look="primary" isBusy={rotate.isPending} onClick={() => rotate.mutate()}>
            {t('rotate.action')}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
