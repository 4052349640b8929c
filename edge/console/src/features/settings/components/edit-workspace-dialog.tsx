import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type EditedWorkspace, useUpdateWorkspace, type WorkspaceChange } from '../queries/workspaces.ts';
import { isValidQuotaChoice, parseQuotaChoice, formatQuotaChoice } from './quota-choice.ts';
import { QuotaField } from './quota-field.tsx';

const QUOTAS = ['requests', 'tokens', 'audio_seconds'] as const;

/** The name of a workspace, and for who may bound it what it may use. */
export function EditWorkspaceDialog({ workspace, onClose }: { workspace: EditedWorkspace; onClose: () => void }) {
  const { t } = useTranslation('settings');
  const change = useUpdateWorkspace(workspace.id);
  const mayBound = usePermissionCheck()('workspaces.bound') && workspace.quotas !== undefined;
  const [name, setName] = useState(workspace.name);
  const [concurrency, setConcurrency] = useState(workspace.max_concurrency?.toString() ?? '');
  const [quotas, setQuotas] = useState(() => QUOTAS.map((metric) => parseQuotaChoice(workspace.quotas?.[metric] ?? null)));
  const isGoodConcurrency = concurrency === '' || /^[1-9]\d{0,6}$/.test(concurrency);
  const isGood = name.trim() !== '' && isGoodConcurrency && quotas.every(isValidQuotaChoice);
  const save = () => {
    const written = Object.fromEntries(QUOTAS.map((metric, at) => [metric, formatQuotaChoice(quotas[at] ?? parseQuotaChoice(null))]));
    const bounds = { max_concurrency: concurrency === '' ? null : Number(concurrency), quotas: written };
    const body: WorkspaceChange = { name: name.trim(), ...(mayBound && bounds) };
    change.mutate(body, {
      onSuccess: () => {
        announce(t('workspaces.changed', { name: name.trim() }));
        onClose();
      },
    });
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('workspaces.editTitle', { name: workspace.name })}
      {...(mayBound && { description: t('workspaces.editText') })}
    >
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isGood) save();
        }}
      >
        <TextField
          label={t('workspaces.name')}
          maxLength={200}
          value={name}
          error={name.trim() === '' ? t('workspaces.nameNeeded') : undefined}
          onChange={({ target }) => setName(target.value)}
        />
        {mayBound && (
          <>
            <TextField
              type="number"
              min={1}
              label={t('workspaces.concurrency')}
              hint={t('workspaces.concurrencyHint')}
              value={concurrency}
              error={isGoodConcurrency ? undefined : t('workspaces.concurrencyBad')}
              onChange={({ target }) => setConcurrency(target.value)}
            />
            {QUOTAS.map((metric, at) => (
              <QuotaField
                key={metric}
                label={t(`quota.metrics.${metric}`)}
                value={quotas[at] ?? parseQuotaChoice(null)}
                onChange={(quota) => setQuotas(quotas.with(at, quota))}
              />
            ))}
          </>
        )}
        {change.error && <ProblemNote error={change.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" disabled={!isGood} isBusy={change.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
