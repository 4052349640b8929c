import { Link } from '@tanstack/react-router';
import { type ColumnDef } from '@tanstack/react-table';
import { AudioLines } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { buttonVariants } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Select } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { Skeleton } from '../../../ui/skeleton.tsx';
import { usePageList } from '../../../ui/use-page-list.ts';
import { jobsKey, readJobs, type SpeechJob } from '../queries/speech.ts';
import { JobAudio, JobCommands, JobStatus } from './job-parts.tsx';

interface JobsTabProps {
  workspaceId: string;
  /** Only jobs that stand so. */
  status: SpeechJob['status'] | undefined;
  canWrite: boolean;
  onStatus: (status: SpeechJob['status'] | undefined) => void;
}

const FILTERS = ['queued', 'processing', 'completed', 'failed', 'cancelled'] as const;

/** The speech jobs of the workspace, newest first; they move by themselves. */
export function JobsTab({ workspaceId, status, canWrite, onStatus }: JobsTabProps) {
  const { t } = useTranslation('audio');
  const format = useFormatter();
  const jobs = usePageList(jobsKey(workspaceId, status), (offset) => readJobs(workspaceId, status, offset));
  const columns: ColumnDef<SpeechJob>[] = [
    { id: 'created', header: t('jobs.created'), size: 145, cell: ({ row }) => <RelativeTime at={row.original.created_at} /> },
    {
      id: 'voice',
      header: t('jobs.voice'),
      size: 130,
      cell: ({ row: { original: job } }) => (
        <>
          <span className="font-medium">{job.voice}</span> <span className="text-muted">{job.provider}</span>
        </>
      ),
    },
    { id: 'status', header: t('jobs.status'), size: 165, cell: ({ row }) => <JobStatus workspaceId={workspaceId} job={row.original} /> },
    {
      id: 'length',
      header: t('jobs.length'),
      size: 85,
      cell: ({ row: { original: job } }) => (job.duration_ms === null ? '' : format.milliseconds(job.duration_ms)),
    },
    {
      id: 'size',
      header: t('jobs.size'),
      size: 95,
      cell: ({ row: { original: job } }) => (job.output_size_bytes === null ? '' : format.bytes(job.output_size_bytes)),
    },
    {
      id: 'audio',
      header: t('jobs.audio'),
      size: 245,
      meta: { isWide: true },
      cell: ({ row }) => <JobAudio workspaceId={workspaceId} job={row.original} />,
    },
  ];
  if (canWrite) {
    columns.push({
      id: 'commands',
      header: t('jobs.commands'),
      size: 115,
      cell: ({ row }) => <JobCommands workspaceId={workspaceId} job={row.original} />,
    });
  }
  return (
    <>
      <Select
        aria-label={t('jobs.filter')}
        value={status ?? ''}
        className="self-start"
        onChange={({ target }) => onStatus(FILTERS.find((one) => one === target.value))}
      >
        <option value="">{t('jobs.all')}</option>
        {FILTERS.map((one) => (
          <option key={one} value={one}>
            {t(`statuses.${one}`)}
          </option>
        ))}
      </Select>
      {jobs.error ? (
        <ProblemNote error={jobs.error} onRetry={jobs.refetch} />
      ) : jobs.isPending ? (
        <Skeleton />
      ) : jobs.rows.length === 0 ? (
        <EmptyState
          icon={AudioLines}
          title={t(status ? 'jobs.noneSo' : 'jobs.noneTitle')}
          {...(canWrite && {
            action: (
              <Link
                to="/w/$workspaceId/audio"
                params={{ workspaceId }}
                search={{ tab: 'speak' }}
                className={buttonVariants({ look: 'primary' })}
              >
                {t('jobs.first')}
              </Link>
            ),
          })}
        >
          {t('jobs.noneText')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('tabs.jobs')}
          rows={jobs.rows}
          rowId={({ id }) => id}
          columns={columns}
          rowHeight={56}
          hasMore={jobs.hasMore}
          isReadingMore={jobs.isReadingMore}
          onMore={jobs.readMore}
          footer={jobs.total === undefined ? undefined : t('jobs.count', { count: jobs.total })}
        />
      )}
    </>
  );
}
