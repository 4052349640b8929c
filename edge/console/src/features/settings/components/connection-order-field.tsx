import { ArrowDown, ArrowUp, Plus, X } from 'lucide-react';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Input, TextField } from '../../../ui/field.tsx';

/** A connection of a profile, with its weight. */
export interface WeightedConnection {
  label: string;
  /** As it was entered. */
  weight: string;
}

interface ConnectionOrderFieldProps {
  accounts: readonly WeightedConnection[];
  /** Labels of connections, to choose from. */
  known: readonly string[];
  hasWeights: boolean;
  onChange: (accounts: readonly WeightedConnection[]) => void;
}

const LABEL = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const MOST = 100;

/** The connections of a profile in their order: added by label, moved and removed by buttons. */
export function ConnectionOrderField({ accounts, known, hasWeights, onChange }: ConnectionOrderFieldProps) {
  const { t } = useTranslation('settings');
  const id = useId();
  const [label, setLabel] = useState('');
  const left = known.filter((name) => accounts.every((account) => account.label !== name));
  const wanted = label.trim();
  const canAdd = LABEL.test(wanted) && accounts.length < MOST && accounts.every((account) => account.label !== wanted);
  const add = () => {
    if (!canAdd) return;
    onChange([...accounts, { label: wanted, weight: '1' }]);
    setLabel('');
  };
  const move = (from: number, to: number) => {
    const moved = accounts[from];
    if (!moved) return;
    onChange(accounts.toSpliced(from, 1).toSpliced(to, 0, moved));
    announce(t('accounts.moved', { label: moved.label, place: to + 1 }));
  };
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-medium">{t('profiles.accounts')}</legend>
      {accounts.length === 0 && <p className="text-sm text-muted">{t('accounts.none')}</p>}
      <ol className="flex flex-col gap-1">
        {accounts.map((account, at) => (
          <li key={account.label} className="flex items-center gap-2 rounded-md border bg-canvas px-2 py-1">
            <span className="w-6 text-sm text-muted tabular-nums">{at + 1}</span>
            <code className="min-w-0 flex-1 truncate">{account.label}</code>
            {hasWeights && (
              <Input
                type="number"
                min={1}
                max={1000}
                aria-label={t('accounts.weightOf', { label: account.label })}
                className="w-24"
                value={account.weight}
                onChange={({ target }) => onChange(accounts.with(at, { ...account, weight: target.value }))}
              />
            )}
            <Button
              look="ghost"
              size="icon"
              disabled={at === 0}
              aria-label={t('accounts.earlier', { label: account.label })}
              onClick={() => move(at, at - 1)}
            >
              <ArrowUp className="size-4" aria-hidden />
            </Button>
            <Button
              look="ghost"
              size="icon"
              disabled={at === accounts.length - 1}
              aria-label={t('accounts.later', { label: account.label })}
              onClick={() => move(at, at + 1)}
            >
              <ArrowDown className="size-4" aria-hidden />
            </Button>
            <Button
              look="ghost"
              size="icon"
              aria-label={t('accounts.remove', { label: account.label })}
              onClick={() => onChange(accounts.toSpliced(at, 1))}
            >
              <X className="size-4" aria-hidden />
            </Button>
          </li>
        ))}
      </ol>
      <div className="flex items-end gap-2">
        <div className="flex-1">
          <TextField
            label={t('accounts.label')}
            list={`${id}-labels`}
            value={label}
            onChange={({ target }) => setLabel(target.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              event.preventDefault();
              add();
            }}
          />
          <datalist id={`${id}-labels`}>
            {left.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
        <Button disabled={!canAdd} onClick={add}>
          <Plus className="size-4" aria-hidden />
          {t('accounts.add')}
        </Button>
      </div>
    </fieldset>
  );
}
