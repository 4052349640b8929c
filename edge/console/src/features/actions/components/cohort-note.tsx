import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { FlaskConical } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { announce } from '../../../ui/announcer.ts';
import { Button } from '../../../ui/button.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { ACTIONS_QUERY_KEY, eligibilityQuery } from '../queries/catalog.ts';
import { cohortQuery, setCohortMember } from '../queries/cohort.ts';

/** Says that the gateway takes no runs of this workspace, why as far as it is known, and who can change that; nothing where it takes them. */
export function CohortNote({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('actions');
  const may = usePermissionCheck();
  const queries = useQueryClient();
  const maySeeCohort = may('action_cohort.read');
  const { data: isEligible } = useQuery({ ...eligibilityQuery(workspaceId), enabled: may('data.read', workspaceId) });
  const { data: cohort } = useQuery({ ...cohortQuery, enabled: maySeeCohort && isEligible === false });
  const join = useMutation({
    mutationFn: () => setCohortMember(workspaceId, true),
    onSuccess: async () => {
      announce(t('cohort.joined'));
      await queries.invalidateQueries({ queryKey: ACTIONS_QUERY_KEY });
    },
  });
  if (isEligible !== false) return null;
  const isMember = cohort?.includes(workspaceId) === true;
  const mayJoin = may('action_cohort.write') && cohort !== undefined && !isMember;
  return (
    <section aria-label={t('cohort.closedTitle')} className="flex gap-3 rounded-lg bg-warn-soft p-3 text-sm text-warn">
      <FlaskConical className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div className="flex flex-col gap-1">
        <p className="font-medium">{t(isMember ? 'cohort.offTitle' : 'cohort.closedTitle')}</p>
        <p>{t(isMember ? 'cohort.offText' : 'cohort.closedText')}</p>
        {!mayJoin && <p>{t(isMember ? 'cohort.offWho' : 'cohort.closedWho')}</p>}
        {mayJoin && (
          <div className="mt-1">
            <Button size="small" isBusy={join.isPending} onClick={() => join.mutate()}>
              {t('cohort.join')}
            </Button>
          </div>
        )}
        {join.error && <ProblemNote error={join.error} />}
      </div>
    </section>
  );
}
