import { useMutation } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { readUsageCsv, type UsageReportParams } from '../../../api/usage.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { saveBlob } from '../../../ui/save-file.ts';

/** Saves the shown report as a file. */
export function CsvButton({ of }: { of: UsageReportParams }) {
  const { t } = useTranslation('usage');
  const download = useMutation({
    mutationFn: () => readUsageCsv(of),
    onSuccess: ({ blob, name }) => {
      saveBlob(name, blob);
      announce(t('saved', { name }));
    },
  });
  return (
    <>
      <Button isBusy={download.isPending} onClick={() => download.mutate()}>
        <Download className="size-4" aria-hidden />
        {t('csv')}
      </Button>
      {download.error && <ProblemNote error={download.error} />}
    </>
  );
}
