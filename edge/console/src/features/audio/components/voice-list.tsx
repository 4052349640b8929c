import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ColumnDef } from '@tanstack/react-table';
import { Volume2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { announce } from '../../../ui/announcer.ts';
import { AudioPlayer } from '../../../ui/audio-player.tsx';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Input, Select } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { synthesizeSpeech, type Voice, voicesQuery } from '../queries/speech.ts';
import { sampleText } from './sample-text.ts';
import { useLanguageName } from './use-language-name.ts';

interface VoiceListProps {
  workspaceId: string;
  provider: string;
  canSpeak: boolean;
}

const GENDERS = ['female', 'male', 'neutral'] as const;

/** The voices of one provider, each with a sample that is made when it is asked for. */
export function VoiceList({ workspaceId, provider, canSpeak }: VoiceListProps) {
  const { t } = useTranslation('audio');
  const format = useFormatter();
  const languageName = useLanguageName();
  const { data: voices, error, refetch } = useQuery(voicesQuery(workspaceId, provider));
  const [wanted, setWanted] = useState('');
  const [gender, setGender] = useState('');
  const sample = useMutation({
    mutationFn: ({ id, language }: Voice) =>
      synthesizeSpeech(workspaceId, { input: sampleText(language, format.language), voice: id, response_format: 'wav', speed: 1 }),
    onSuccess: (_audio, { name }) => announce(t('voices.playing', { name })),
  });
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!voices) return <Skeleton />;
  const words = wanted.trim().toLowerCase();
  const searchText = ({ id, name, dialect }: Voice) => `${id} ${name} ${dialect} ${languageName(dialect)}`.toLowerCase();
  const shown = voices.filter((voice) => (!gender || voice.gender === gender) && searchText(voice).includes(words));
  const columns: ColumnDef<Voice>[] = [
    { id: 'name', header: t('voices.name'), size: 150, cell: ({ row }) => <span className="font-medium">{row.original.name}</span> },
    { id: 'id', header: t('voices.id'), size: 150, cell: ({ row }) => <code>{row.original.id}</code> },
    {
      id: 'language',
      header: t('voices.language'),
      size: 190,
      meta: { isWide: true },
      cell: ({ row }) => languageName(row.original.dialect),
    },
    { id: 'gender', header: t('voices.gender'), size: 100, cell: ({ row }) => t(`genders.${row.original.gender}`) },
    {
      id: 'rate',
      header: t('voices.rate'),
      size: 110,
      cell: ({ row }) => t('voices.hertz', { rate: format.number(row.original.sample_rate / 1000) }),
    },
  ];
  if (canSpeak) {
    columns.push({
      id: 'sample',
      header: t('voices.sample'),
      size: 230,
      cell: ({ row: { original: voice } }) => (
        <div className="flex items-center gap-2 py-1">
          <Button
            size="small"
            isBusy={sample.isPending && sample.variables.id === voice.id}
            disabled={sample.isPending}
            aria-label={t('voices.hearOne', { name: voice.name })}
            onClick={() => sample.mutate(voice)}
          >
            <Volume2 className="size-4" aria-hidden />
            {t('voices.hear')}
          </Button>
          <Link
            to="/w/$workspaceId/audio"
            params={{ workspaceId }}
            search={{ tab: 'speak', provider, voice: voice.id }}
            className={buttonVariants({ look: 'ghost', size: 'small' })}
            aria-label={t('voices.useOne', { name: voice.name })}
          >
            {t('voices.use')}
          </Link>
        </div>
      ),
    });
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap gap-2">
        <Input
          type="search"
          aria-label={t('voices.search')}
          placeholder={t('voices.search')}
          className="w-full sm:w-64"
          value={wanted}
          onChange={({ target }) => setWanted(target.value)}
        />
        <Select aria-label={t('voices.gender')} value={gender} onChange={({ target }) => setGender(target.value)}>
          <option value="">{t('voices.anyGender')}</option>
          {GENDERS.map((one) => (
            <option key={one} value={one}>
              {t(`genders.${one}`)}
            </option>
          ))}
        </Select>
      </div>
      {sample.error && <ProblemNote error={sample.error} onRetry={() => sample.mutate(sample.variables)} />}
      {sample.data && (
        <div className="flex flex-wrap items-center gap-3">
          <AudioPlayer
            key={sample.submittedAt}
            source={sample.data}
            label={t('voices.sampleOf', { name: sample.variables.name })}
            isStarted
          />
          <p className="text-sm text-muted">{t('voices.sampleOf', { name: sample.variables.name })}</p>
        </div>
      )}
      <DataTable
        label={t('voices.of', { provider })}
        rows={shown}
        rowId={({ id }) => id}
        columns={columns}
        footer={t('provider.voices', { count: shown.length })}
      />
    </div>
  );
}
