import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { routableConnectionsQuery, type RouteProfile, useProfileCommands } from '../queries/routing.ts';
import { ConnectionOrderField, type WeightedConnection } from './connection-order-field.tsx';
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from './slug.ts';

const STRATEGIES = ['priority', 'weighted', 'least_loaded'] as const;

interface RouteProfileDialogProps {
  workspaceId: string;
  /** Undefined for a new one. */
  profile: RouteProfile | undefined;
  onClose: () => void;
}

/** Creates or replaces a route profile. */
export function RouteProfileDialog({ workspaceId, profile, onClose }: RouteProfileDialogProps) {
  const { t } = useTranslation('settings');
  const id = useId();
  const { put } = useProfileCommands(workspaceId);
  const { data: connected = [] } = useQuery(routableConnectionsQuery(workspaceId));
  const [slug, setSlug] = useState(profile?.slug ?? '');
  const [strategy, setStrategy] = useState<RouteProfile['strategy']>(profile?.strategy ?? 'priority');
  const [model, setModel] = useState(profile?.model ?? '');
  const [accounts, setAccounts] = useState<readonly WeightedConnection[]>(
    () => profile?.account_labels.map((label, at) => ({ label, weight: String(profile.weights[at] ?? 1) })) ?? [],
  );
  const models = [...new Set(connected.flatMap((account) => account.models))].sort();
  const isGoodSlug = slug.length <= MAX_SLUG_LENGTH && SLUG_PATTERN.test(slug);
  const areGoodWeights = strategy !== 'weighted' || (accounts.length > 0 && accounts.every(({ weight }) => isGoodWeight(weight)));
  const save = () => {
    const body = {
      strategy,
      model: model.trim() || null,
      account_labels: accounts.map(({ label }) => label),
      weights: strategy === 'weighted' ? accounts.map(({ weight }) => Number(weight)) : [],
    };
    put.mutate(
      { slug, body },
      {
        onSuccess: () => {
          announce(t('saved', { name: slug }));
          onClose();
        },
      },
    );
  };
  return (
    <Dialog isOpen onClose={onClose} size="wide" title={profile ? t('profiles.editTitle', { name: profile.slug }) : t('profiles.create')}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isGoodSlug && areGoodWeights) save();
        }}
      >
        <TextField
          label={t('profiles.slug')}
          hint={t('profiles.slugHint')}
          readOnly={profile !== undefined}
          value={slug}
          error={slug === '' || isGoodSlug ? undefined : t('slugBad')}
          onChange={({ target }) => setSlug(target.value)}
        />
        <SelectField
          label={t('profiles.strategy')}
          hint={t(`profiles.strategyHints.${strategy}`)}
          value={strategy}
          onChange={({ target }) => setStrategy(STRATEGIES.find((one) => one === target.value) ?? 'priority')}
        >
          {STRATEGIES.map((one) => (
            <option key={one} value={one}>
              {t(`profiles.strategies.${one}`)}
            </option>
          ))}
        </SelectField>
        <ConnectionOrderField
          accounts={accounts}
          known={connected.map(({ label }) => label)}
          hasWeights={strategy === 'weighted'}
          onChange={setAccounts}
        />
        {!areGoodWeights && <p className="text-sm text-bad">{t('profiles.weightsBad')}</p>}
        <TextField
          label={t('profiles.model')}
          hint={t('profiles.modelHint')}
          list={`${id}-models`}
          maxLength={200}
          value={model}
          onChange={({ target }) => setModel(target.value)}
        />
        <datalist id={`${id}-models`}>
          {models.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        {put.error && <ProblemNote error={put.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" disabled={!isGoodSlug || !areGoodWeights} isBusy={put.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function isGoodWeight(text: string): boolean {
  const weight = Number(text);
  return Number.isInteger(weight) && weight >= 1 && weight <= 1000;
}
