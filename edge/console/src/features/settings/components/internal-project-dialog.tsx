import { zodResolver } from '@hookform/resolvers/zod';
import { useForm } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog, DialogActions } from '../../../ui/dialog.tsx';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { type InternalProject, useInternalProjectCommands } from '../queries/routing.ts';
import { MAX_SLUG_LENGTH, SLUG_PATTERN } from './slug.ts';

const POLICIES = ['allow_general', 'require_project'] as const;
const fields = z.object({
  slug: z.string().trim().max(MAX_SLUG_LENGTH).regex(SLUG_PATTERN),
  name: z.string().trim().min(1).max(200),
  policy: z.enum(POLICIES),
});

interface InternalProjectDialogProps {
  workspaceId: string;
  /** Undefined for a new one. */
  project: InternalProject | undefined;
  onClose: () => void;
}

/** Creates or changes an internal project. */
export function InternalProjectDialog({ workspaceId, project, onClose }: InternalProjectDialogProps) {
  const { t } = useTranslation('settings');
  const { put } = useInternalProjectCommands(workspaceId);
  const { register, handleSubmit, formState } = useForm({
    resolver: zodResolver(fields),
    defaultValues: { slug: project?.slug ?? '', name: project?.name ?? '', policy: project?.policy ?? 'allow_general' },
  });
  const save = handleSubmit(({ slug, ...body }) =>
    put.mutate(
      { slug, body },
      {
        onSuccess: () => {
          announce(t('saved', { name: body.name }));
          onClose();
        },
      },
    ),
  );
  const { errors } = formState;
  return (
    <Dialog isOpen onClose={onClose} title={project ? t('internal.editTitle', { name: project.name }) : t('internal.create')}>
      <form noValidate className="flex flex-col gap-4" onSubmit={(event) => void save(event)}>
        <TextField label={t('internal.name')} error={errors.name && t('internal.nameBad')} {...register('name')} />
        <TextField
          label={t('internal.slug')}
          hint={t('internal.slugHint')}
          readOnly={project !== undefined}
          error={errors.slug && t('slugBad')}
          {...register('slug')}
        />
        <SelectField label={t('internal.policy')} hint={t('internal.policyHint')} {...register('policy')}>
          {POLICIES.map((policy) => (
            <option key={policy} value={policy}>
              {t(`internal.policies.${policy}`)}
            </option>
          ))}
        </SelectField>
        {put.error && <ProblemNote error={put.error} />}
        <DialogActions>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" look="primary" isBusy={put.isPending}>
            {t('save')}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
