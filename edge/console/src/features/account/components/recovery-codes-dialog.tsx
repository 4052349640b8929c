import { Download } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { CheckField } from '../../../ui/field.tsx';
import { saveText } from '../../../ui/save-file.ts';

/** New recovery codes, shown once: it closes when the person says that they are kept. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  const { t } = useTranslation('account');
  const [isKept, setKept] = useState(false);
  const text = codes.join('\n');
  return (
    <Dialog isOpen onClose={onClose} isDismissable={false} title={t('codes.title')} description={t('codes.lead')}>
      <ol
        aria-label={t('codes.title')}
        className="grid grid-cols-1 gap-x-6 gap-y-1 rounded-lg border bg-canvas p-3 font-mono sm:grid-cols-2"
      >
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="my-3 flex items-center gap-2">
        <CopyButton text={text} what={t('codes.title')} />
        <Button size="small" onClick={() => saveText('parley-recovery-codes.txt', `${text}\n`)}>
          <Download className="size-4" aria-hidden />
          {t('codes.download')}
        </Button>
      </div>
      <CheckField label={t('codes.kept')} checked={isKept} onChange={({ target }) => setKept(target.checked)} />
      <DialogActions>
        <Button look="primary" disabled={!isKept} onClick={onClose}>
          {t('codes.done')}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
