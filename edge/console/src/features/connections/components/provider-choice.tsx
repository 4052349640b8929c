import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { Input, TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { connectProvidersQuery, type FlowStart } from '../queries/flows.ts';
import { isConnectionLabel } from './connection-label.ts';

interface ProviderChoiceProps {
  workspaceId: string;
  isBusy: boolean;
  error: Error | null;
  onChoose: (start: FlowStart) => void;
  onCancel: () => void;
}

const PURPOSES = ['chat', 'speech', 'transcription', 'api'] as const;

/** Which provider the account is at, and what the connection is called. */
export function ProviderChoice({ workspaceId, isBusy, error, onChoose, onCancel }: ProviderChoiceProps) {
  const { t } = useTranslation('connections');
  const providers = useQuery(connectProvidersQuery(workspaceId));
  const [text, setText] = useState('');
  const [provider, setProvider] = useState('');
  const [label, setLabel] = useState('');
  const wanted = text.trim().toLowerCase();
  const isWrong = label.trim() !== '' && !isConnectionLabel(label.trim());
  const submit = (event: React.FormEvent) => {
    event.preventDefault();
    if (!provider || isWrong) return;
    onChoose({ provider, ...(label.trim() && { label: label.trim() }) });
  };
  if (providers.error) return <ProblemNote error={providers.error} onRetry={() => void providers.refetch()} />;
  if (!providers.data) return <Skeleton rows={4} />;
  const shown = providers.data.filter(({ provider: name, title }) => `${title} ${name}`.toLowerCase().includes(wanted));
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Input
        type="search"
        aria-label={t('connect.findProvider')}
        placeholder={t('connect.findProvider')}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <div className="flex max-h-[40dvh] flex-col gap-4 overflow-y-auto p-1">
        {PURPOSES.map((purpose) => {
          const some = shown.filter((each) => each.purpose === purpose);
          return (
            some.length > 0 && (
              <fieldset key={purpose}>
                <legend className="mb-1.5 text-sm font-medium">{t(`purpose.${purpose}`)}</legend>
                <div className="grid grid-cols-[repeat(auto-fill,minmax(12rem,1fr))] gap-2">
                  {some.map(({ provider: name, title }) => (
                    <label
                      key={name}
                      className="flex cursor-pointer items-center gap-2 rounded-lg border px-3 py-2 text-sm has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent"
                    >
                      <input
                        type="radio"
                        name="provider"
                        value={name}
                        checked={provider === name}
                        onChange={() => setProvider(name)}
                        className="accent-accent"
                      />
                      {title}
                    </label>
                  ))}
                </div>
              </fieldset>
            )
          );
        })}
        {shown.length === 0 && <p className="text-sm text-muted">{t('connect.noProvider')}</p>}
      </div>
      <TextField
        label={t('fields.labelOptional')}
        hint={t('fields.labelHint')}
        error={isWrong ? t('fields.labelWrong') : undefined}
        value={label}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setLabel(target.value)}
      />
      {error && <ProblemNote error={error} />}
      <DialogActions>
        <Button onClick={onCancel}>{t('common:cancel')}</Button>
        <Button type="submit" look="primary" isBusy={isBusy} disabled={!provider || isWrong}>
          {t('connect.next')}
        </Button>
      </DialogActions>
    </form>
  );
}
