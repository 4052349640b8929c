import { Download, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toWorkspaceHref } from '../../../api/me.ts';
import { announce } from '../../../ui/announcer.ts';
import { AudioPlayer } from '../../../ui/audio-player.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { Button, buttonVariants } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { useNow } from '../../../ui/use-now.ts';
import { isJobInProgress, type SpeechJob, useCurrentJob, useJobCommand } from '../queries/speech.ts';
import { toFileExtension, isPlayable } from './audio-format.ts';

const TONES: Record<SpeechJob['status'], Tone> = {
  created: 'neutral',
  validated: 'neutral',
  queued: 'neutral',
  processing: 'accent',
  completed: 'good',
  failed: 'bad',
  cancelled: 'warn',
};

interface JobPartProps {
  workspaceId: string;
  /** As a list or an order knows it. */
  job: SpeechJob;
}

/** How a job stands, with how far it is while it runs. */
export function JobStatus({ workspaceId, job: known }: JobPartProps) {
  const { t } = useTranslation('audio');
  const job = useCurrentJob(workspaceId, known);
  const { status, progress } = job;
  return (
    <span className="inline-flex items-center gap-2">
      <Badge tone={TONES[status]}>{t(`statuses.${status}`)}</Badge>
      {isJobInProgress(job) && <progress aria-label={t('jobs.progress')} max={100} value={progress} className="h-1.5 w-20 accent-accent" />}
    </span>
  );
}

/** The audio of a job, as long as it is kept. */
export function JobAudio({ workspaceId, job: known }: JobPartProps) {
  const { t } = useTranslation('audio');
  const now = useNow();
  const job = useCurrentJob(workspaceId, known);
  const { id, status, voice, error, output_mime_type: mimeType, expires_at } = job;
  if (status === 'failed' && error) return <span title={error.message}>{error.message}</span>;
  if (status !== 'completed' || mimeType === null) return null;
  if (new Date(expires_at).getTime() <= now) return <span className="text-muted">{t('jobs.expired')}</span>;
  const href = toWorkspaceHref(workspaceId, `/me/v1/audio/generations/${id}/content`);
  return (
    <span className="flex items-center gap-2">
      {isPlayable(mimeType) && <AudioPlayer source={href} label={t('jobs.audioOf', { voice })} className="w-44" />}
      <a
        href={href}
        download={`speech-${id}.${toFileExtension(mimeType)}`}
        className={buttonVariants({ look: 'ghost', size: 'icon' })}
        aria-label={t('jobs.download', { voice })}
        title={t('jobs.download', { voice })}
      >
        <Download className="size-4" aria-hidden />
      </a>
    </span>
  );
}

/** What can be done with a job as it stands. */
export function JobCommands({ workspaceId, job: known }: JobPartProps) {
  const { t } = useTranslation('audio');
  const job = useCurrentJob(workspaceId, known);
  const { id, status, voice } = job;
  const cancel = useJobCommand(workspaceId, 'cancel');
  const retry = useJobCommand(workspaceId, 'retry');
  const [isAsking, setAsking] = useState(false);
  if (status === 'failed') {
    return (
      <Button
        size="small"
        isBusy={retry.isPending}
        aria-label={t('jobs.retryOne', { voice })}
        onClick={() => retry.mutate(id, { onSuccess: () => announce(t('jobs.retried')), onError: ({ message }) => announce(message) })}
      >
        <RotateCw className="size-3.5" aria-hidden />
        {t('jobs.retry')}
      </Button>
    );
  }
  // The dialog outlives the job that ends behind it.
  if (!isJobInProgress(job) && !isAsking) return null;
  return (
    <>
      <Button size="small" aria-label={t('jobs.cancelOne', { voice })} onClick={() => setAsking(true)}>
        {t('jobs.cancel')}
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title={t('jobs.cancelTitle')}
        action={t('jobs.cancelAction')}
        onConfirm={() => cancel.mutateAsync(id)}
      >
        {t('jobs.cancelText')}
      </ConfirmDialog>
    </>
  );
}
