import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Card } from '../../../ui/card.tsx';
import { type SpeechJob } from '../queries/speech.ts';
import { JobAudio, JobCommands, JobStatus } from './job-parts.tsx';

/** A job that was just made, as it moves on. */
export function JobCard({ workspaceId, job }: { workspaceId: string; job: SpeechJob }) {
  const { t } = useTranslation('audio');
  const format = useFormatter();
  return (
    <Card title={t('job.title')} actions={<JobCommands workspaceId={workspaceId} job={job} />}>
      <div className="flex flex-col gap-3">
        <div role="status">
          <JobStatus workspaceId={workspaceId} job={job} />
        </div>
        <JobAudio workspaceId={workspaceId} job={job} />
        <p className="text-sm text-muted">
          {t('job.facts', { voice: job.voice, provider: job.provider, count: job.input_characters, time: format.dateTime(job.expires_at) })}
        </p>
        <Link to="/w/$workspaceId/audio" params={{ workspaceId }} search={{ tab: 'jobs' }} className="text-sm text-accent underline">
          {t('job.all')}
        </Link>
      </div>
    </Card>
  );
}
