import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';

interface RenameDialogProps {
  title: string;
  name: string;
  onClose: () => void;
  onRename: (name: string) => Promise<unknown>;
}

/** Asks for another name. */
export function RenameDialog({ title, name, onClose, onRename }: RenameDialogProps) {
  const { t } = useTranslation('account');
  const [text, setText] = useState(name);
  const rename = useMutation({ mutationFn: () => onRename(text.trim()), onSuccess: onClose });
  return (
    <Dialog isOpen onClose={onClose} title={title}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim()) rename.mutate();
        }}
      >
        <TextField label={t('name')} value={text} maxLength={200} onChange={({ target }) => setText(target.value)} />
        {rename.error && <ProblemNote error={rename.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" disabled={!text.trim()} isBusy={rename.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
