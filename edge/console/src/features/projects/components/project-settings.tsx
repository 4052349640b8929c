import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { useFormatter } from '../../../i18n/formatter.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { TextArea, TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type ProjectDetail, useChangeProject } from '../queries/projects.ts';
import { MAX_INSTRUCTION_CHARACTERS } from './limits.ts';

const form = z.object({ name: z.string().trim().min(1).max(200), instructions: z.string().max(MAX_INSTRUCTION_CHARACTERS) });
type Typed = z.infer<typeof form>;

interface ProjectSettingsProps {
  workspaceId: string;
  project: ProjectDetail;
  isReadOnly: boolean;
}

/** The name of a project, and the instructions of its conversations. */
export function ProjectSettings({ workspaceId, project, isReadOnly }: ProjectSettingsProps) {
  const { t } = useTranslation('projects');
  const format = useFormatter();
  const change = useChangeProject(workspaceId, project.id);
  const stored = { name: project.name, instructions: project.instructions ?? '' };
  const { register, handleSubmit, formState, watch, reset } = useForm<Typed>({
    resolver: zodResolver(form),
    values: stored,
    resetOptions: { keepDirtyValues: true },
  });
  const { errors, isDirty } = formState;
  const submit = handleSubmit(async (typed) => {
    const now = await change.mutateAsync({ name: typed.name, instructions: typed.instructions || null }).catch(() => undefined);
    if (!now) return;
    reset({ name: now.name, instructions: now.instructions ?? '' });
    announce(t('saved'));
  });
  if (isReadOnly) {
    return (
      <Card title={t('instructions')}>
        {project.instructions ? (
          <p className="break-words whitespace-pre-wrap">{project.instructions}</p>
        ) : (
          <p className="text-muted">{t('noInstructions')}</p>
        )}
      </Card>
    );
  }
  return (
    <Card title={t('instructions')}>
      <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4" noValidate>
        <TextField label={t('name')} error={errors.name && t('nameWrong')} {...register('name')} />
        <TextArea
          label={t('instructions')}
          hint={t('instructionsCount', {
            used: format.number(watch('instructions').length),
            most: format.number(MAX_INSTRUCTION_CHARACTERS),
          })}
          error={errors.instructions && t('instructionsLong')}
          rows={8}
          {...register('instructions')}
        />
        {change.error && <ProblemNote error={change.error} />}
        <div className="flex gap-2">
          <Button type="submit" look="primary" isBusy={change.isPending} disabled={!isDirty}>
            {t('save')}
          </Button>
          {isDirty && <Button onClick={() => reset(stored)}>{t('undo')}</Button>}
        </div>
      </form>
    </Card>
  );
}
