import { useMutation, useQuery } from '@tanstack/react-query';
import { AudioLines } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import {
  capabilitiesQuery,
  providersQuery,
  synthesizeSpeech,
  type SpeechProvider,
  useCreateSpeechJob,
  voicesQuery,
} from '../queries/speech.ts';
import { JobCard } from './job-card.tsx';
import { toOptionValues } from './provider-options.ts';
import { SpeakForm, type SpeakFormValues } from './speak-form.tsx';
import { SpeechResultCard } from './speech-result-card.tsx';

interface SpeakTabProps {
  workspaceId: string;
  startProvider: string | undefined;
  startVoice: string | undefined;
}

/** Text to speech: at once, or as a job for longer texts. */
export function SpeakTab({ workspaceId, startProvider, startVoice }: SpeakTabProps) {
  const { t } = useTranslation('audio');
  const { data: providers, error, refetch } = useQuery(providersQuery(workspaceId));
  if (error) return <ProblemNote error={error} onRetry={() => void refetch()} />;
  if (!providers) return <Skeleton />;
  const usable = providers.filter(({ available }) => available);
  const start = usable.find(({ name }) => name === startProvider) ?? usable.find(({ is_default }) => is_default) ?? usable[0];
  if (!start) {
    return (
      <EmptyState icon={AudioLines} title={t('voices.noneTitle')}>
        {t('voices.noneText')}
      </EmptyState>
    );
  }
  return <Speaking {...{ workspaceId, startVoice }} providers={usable} startProvider={start.name} />;
}

interface SpeakingProps {
  workspaceId: string;
  providers: readonly SpeechProvider[];
  startProvider: string;
  startVoice: string | undefined;
}

function Speaking({ workspaceId, providers, startProvider, startVoice }: SpeakingProps) {
  const { t } = useTranslation('audio');
  const [provider, setProvider] = useState(startProvider);
  const capabilities = useQuery(capabilitiesQuery(workspaceId, provider));
  const voices = useQuery(voicesQuery(workspaceId, provider));
  const spoken = useMutation({
    mutationFn: ({ input, voice, format, speed }: SpeakFormValues) =>
      synthesizeSpeech(workspaceId, { input, voice, response_format: format, speed }),
  });
  const newJob = useCreateSpeechJob(workspaceId);
  const order = (wanted: SpeakFormValues) => {
    const { input, voice, format, options, entered, mode } = wanted;
    spoken.reset();
    newJob.reset();
    if (mode === 'now') spoken.mutate(wanted);
    else newJob.mutate({ input, voice, provider, response_format: format, provider_options: toOptionValues(options, entered) });
  };
  const failure = capabilities.error ?? voices.error;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      {failure ? (
        <ProblemNote
          error={failure}
          onRetry={() => {
            void capabilities.refetch();
            void voices.refetch();
          }}
        />
      ) : (
        <SpeakForm
          providers={providers}
          provider={provider}
          onProvider={setProvider}
          capabilities={capabilities.data}
          voices={voices.data}
          startVoice={startVoice}
          isBusy={spoken.isPending || newJob.isPending}
          onOrder={order}
        />
      )}
      <div className="flex min-w-0 flex-col gap-4">
        {spoken.isIdle && newJob.isIdle && (
          <p className="rounded-xl border border-dashed px-6 py-10 text-center text-sm text-muted">{t('speak.appears')}</p>
        )}
        {spoken.isPending && <Skeleton rows={2} />}
        {(spoken.error ?? newJob.error) && <ProblemNote error={spoken.error ?? newJob.error} />}
        {spoken.data && <SpeechResultCard key={spoken.submittedAt} audio={spoken.data} order={spoken.variables} />}
        {newJob.data && <JobCard workspaceId={workspaceId} job={newJob.data} />}
      </div>
    </div>
  );
}
