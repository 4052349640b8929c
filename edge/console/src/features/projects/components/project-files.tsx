import { useQuery } from '@tanstack/react-query';
import { clsx } from 'clsx';
import { CircleAlert, CircleCheck, FileText, LoaderCircle, Trash2, Upload } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormatter } from '../../../i18n/formatter.ts';
import { announce } from '../../../ui/announcer.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { projectCapabilitiesQuery, type ProjectDetail, type ProjectSource, useAddFile, useRemoveFile } from '../queries/projects.ts';
import { MAX_PROJECT_FILE_BYTES } from './limits.ts';

const LOOKS = {
  processing: { tone: 'neutral', icon: LoaderCircle },
  ready: { tone: 'good', icon: CircleCheck },
  failed: { tone: 'bad', icon: CircleAlert },
} as const;

interface ProjectFilesProps {
  workspaceId: string;
  project: ProjectDetail;
  isReadOnly: boolean;
}

/** Files that every conversation of a project knows, with whether they do yet. */
export function ProjectFiles({ workspaceId, project, isReadOnly }: ProjectFilesProps) {
  const { t } = useTranslation('projects');
  const format = useFormatter();
  const picker = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [failures, setFailures] = useState<readonly { name: string; error: unknown }[]>([]);
  const [asked, setAsked] = useState<ProjectSource>();
  const add = useAddFile(workspaceId, project.id);
  const remove = useRemoveFile(workspaceId, project.id);
  const { data: ability } = useQuery(projectCapabilitiesQuery(workspaceId));
  const isRefused = ability?.project_files.reason === 'upstream_not_authorized';
  const upload = async (files: Iterable<File>) => {
    setFailures([]);
    // One after the other: each counts against the same limit.
    for (const file of files) {
      if (file.size > MAX_PROJECT_FILE_BYTES) {
        setFailures((old) => [...old, { name: file.name, error: undefined }]);
        continue;
      }
      await add.mutateAsync(file).then(
        () => announce(t('files.added', { name: file.name })),
        (error: unknown) => setFailures((old) => [...old, { name: file.name, error }]),
      );
    }
  };
  const drop = (event: React.DragEvent) => {
    event.preventDefault();
    setOver(false);
    void upload([...event.dataTransfer.files]);
  };
  const dropping = isReadOnly
    ? {}
    : {
        onDrop: drop,
        onDragOver: (event: React.DragEvent) => {
          event.preventDefault();
          setOver(true);
        },
        onDragLeave: () => setOver(false),
      };
  return (
    <Card
      title={t('files.title')}
      actions={
        !isReadOnly && (
          <Button size="small" isBusy={add.isPending} onClick={() => picker.current?.click()}>
            <Upload className="size-3.5" aria-hidden />
            {t('files.add')}
          </Button>
        )
      }
    >
      {!isReadOnly && (
        <input
          ref={picker}
          type="file"
          multiple
          className="sr-only"
          tabIndex={-1}
          aria-label={t('files.add')}
          onChange={({ target }) => {
            const files = [...(target.files ?? [])];
            target.value = '';
            void upload(files);
          }}
        />
      )}
      <div {...dropping} className={clsx('flex flex-col gap-3 rounded-lg', isOver && 'outline-2 outline-offset-4 outline-accent')}>
        {isRefused && <p className="rounded-lg bg-warn-soft px-3 py-2 text-sm text-warn">{t('files.refused')}</p>}
        {failures.map(({ name, error }) => (
          <div key={name} className="flex flex-col gap-1">
            <p className="text-sm font-medium break-all">{t('files.notAdded', { name })}</p>
            {error === undefined ? (
              <p role="alert" className="text-sm text-bad">
                {t('files.large')}
              </p>
            ) : (
              <ProblemNote error={error} />
            )}
          </div>
        ))}
        {project.sources.length === 0 && (
          <p className="py-4 text-center text-sm text-muted">{t(isReadOnly ? 'files.none' : 'files.empty')}</p>
        )}
        <ul className="flex flex-col divide-y" aria-label={t('files.title')}>
          {project.sources.map((source) => {
            const { tone, icon: Icon } = LOOKS[source.status];
            return (
              <li key={source.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2 text-sm">
                <FileText className="size-4 shrink-0 text-muted" aria-hidden />
                <span className="min-w-0 flex-1 truncate font-medium" title={source.title}>
                  {source.title}
                </span>
                <span className="text-muted">{format.bytes(source.size_bytes)}</span>
                <Badge tone={tone}>
                  <Icon className={clsx('size-3.5', source.status === 'processing' && 'animate-spin')} aria-hidden />
                  {t(`files.status.${source.status}`)}
                </Badge>
                {!isReadOnly && (
                  <Button look="ghost" size="icon" aria-label={t('files.remove', { name: source.title })} onClick={() => setAsked(source)}>
                    <Trash2 className="size-4" aria-hidden />
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      </div>
      <ConfirmDialog
        isOpen={asked !== undefined}
        onClose={() => setAsked(undefined)}
        title={t('files.removeTitle', { name: asked?.title })}
        action={t('files.removeAction')}
        onConfirm={() => (asked ? remove.mutateAsync(asked.id) : Promise.resolve())}
      >
        {t('files.removeText')}
      </ConfirmDialog>
    </Card>
  );
}
