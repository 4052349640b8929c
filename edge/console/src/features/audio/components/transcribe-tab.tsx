import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { AudioPlayer } from '../../../ui/audio-player.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import {
  audioCapabilitiesQuery,
  MAX_RECORDING_BYTES,
  type Recording,
  transcribe,
  TRANSCRIPT_FORMATS,
  type TranscriptFormat,
} from '../queries/transcription.ts';
import { NoTranscription } from './engine-notes.tsx';
import { FileDrop } from './file-drop.tsx';
import { Microphone } from './microphone.tsx';
import { TranscriptCard } from './transcript-card.tsx';
import { useLanguageName } from './use-language-name.ts';

/** Languages to choose from; the engine says which of them it understands. */
const LANGUAGES = ['en', 'zh', 'de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ru', 'uk', 'tr', 'ar', 'hi', 'ja', 'ko'] as const;

interface Order {
  recording: Recording;
  language: string;
  format: TranscriptFormat;
  signal: AbortSignal;
}

/** Speech to text, of a file or of the microphone. */
export function TranscribeTab({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('audio');
  const formatOf = useFormatter();
  const languageName = useLanguageName();
  const abilities = useQuery(audioCapabilitiesQuery(workspaceId));
  const [recording, setRecording] = useState<Recording>();
  const [language, setLanguage] = useState('');
  const [format, setFormat] = useState<TranscriptFormat>('json');
  const [stop, setStop] = useState<AbortController>();
  const transcript = useMutation({
    mutationFn: ({ recording: sent, ...how }: Order) => transcribe(workspaceId, sent, how),
  });
  if (abilities.error) return <ProblemNote error={abilities.error} onRetry={() => void abilities.refetch()} />;
  if (!abilities.data) return <Skeleton />;
  const { enabled, provider } = abilities.data.transcription;
  if (!enabled) return <NoTranscription />;
  const choose = (chosen: Recording) => {
    transcript.reset();
    setRecording(chosen);
  };
  const isTooLarge = recording !== undefined && recording.audio.size > MAX_RECORDING_BYTES;
  const begin = (sent: Recording) => {
    const controller = new AbortController();
    setStop(controller);
    transcript.mutate({ recording: sent, language, format, signal: controller.signal });
  };
  return (
    <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
      <Card title={t('transcribe.recording')}>
        <div className="flex flex-col gap-4">
          <FileDrop onFile={(file) => choose({ audio: file, name: file.name })} />
          <Microphone onRecorded={(audio, name) => choose({ audio, name })} />
          {recording && (
            <div className="flex flex-col gap-2 rounded-lg border bg-canvas p-3">
              <p className="text-sm break-all">
                <span className="font-medium">{recording.name}</span>{' '}
                <span className="text-muted">{formatOf.bytes(recording.audio.size)}</span>
              </p>
              <AudioPlayer source={recording.audio} label={t('transcribe.listen', { name: recording.name })} className="w-full" />
              {isTooLarge && (
                <p role="alert" className="text-sm text-bad">
                  {t('transcribe.tooLarge', { bound: formatOf.bytes(MAX_RECORDING_BYTES) })}
                </p>
              )}
            </div>
          )}
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label={t('transcribe.language')}
              hint={t('transcribe.languageHint')}
              value={language}
              onChange={({ target }) => setLanguage(target.value)}
            >
              <option value="">{t('transcribe.detect')}</option>
              {LANGUAGES.map((tag) => (
                <option key={tag} value={tag}>
                  {languageName(tag)}
                </option>
              ))}
            </SelectField>
            <SelectField
              label={t('transcribe.format')}
              value={format}
              onChange={({ target }) => setFormat(TRANSCRIPT_FORMATS.find((name) => name === target.value) ?? 'json')}
            >
              {TRANSCRIPT_FORMATS.map((name) => (
                <option key={name} value={name}>
                  {t(`transcripts.${name}`)}
                </option>
              ))}
            </SelectField>
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <Button
              look="primary"
              isBusy={transcript.isPending}
              disabled={!recording || isTooLarge}
              onClick={() => recording && begin(recording)}
            >
              {t('transcribe.begin')}
            </Button>
            {transcript.isPending && <Button onClick={() => stop?.abort()}>{t('transcribe.stop')}</Button>}
            <span className="text-sm text-muted">{t('transcribe.engine', { name: provider ?? '' })}</span>
          </div>
          <p className="text-sm text-muted">{t('transcribe.privacy')}</p>
        </div>
      </Card>
      <div className="flex min-w-0 flex-col gap-4">
        <p role="status" className="sr-only">
          {transcript.isPending ? t('transcribe.working') : transcript.data ? t('transcribe.done') : ''}
        </p>
        {transcript.isPending && <Skeleton rows={3} />}
        {transcript.error && !stop?.signal.aborted && <ProblemNote error={transcript.error} />}
        {transcript.data && <TranscriptCard transcript={transcript.data} />}
      </div>
    </div>
  );
}
