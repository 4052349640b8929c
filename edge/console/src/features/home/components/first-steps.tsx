import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Card } from '../../../ui/card.tsx';
import { workspaceDayUsageQuery, hasKeyQuery, hasOtherMembersQuery, ownDayUsageQuery, someConnectionsQuery } from '../queries/home.ts';

interface Step {
  name: 'chat' | 'connect' | 'key' | 'call' | 'invite';
  to: `/w/$workspaceId/${'playground' | 'connections' | 'keys' | 'usage' | 'people'}`;
  /** Undefined until it is known. */
  isDone: boolean | undefined;
}

/** What is worth doing first, with what of it is done. Only steps that the person may take. */
export function FirstSteps({ workspaceId }: { workspaceId: string }) {
  const { t } = useTranslation('home');
  const may = usePermissionCheck();
  const isMember = may('data.read', workspaceId);
  const seesUsage = may('usage.read', workspaceId);
  const seesKeys = may('keys.read', workspaceId);
  const makesKeys = may('own_keys.write', workspaceId);
  const connects = may('connections.write', workspaceId);
  const invites = may('members.write', workspaceId);
  const connections = useQuery(someConnectionsQuery(workspaceId, isMember));
  const key = useQuery({ ...hasKeyQuery(workspaceId, seesKeys), enabled: seesKeys || makesKeys });
  const own = useQuery({ ...ownDayUsageQuery(workspaceId), enabled: isMember });
  const day = useQuery({ ...workspaceDayUsageQuery(workspaceId), enabled: seesUsage });
  const others = useQuery({ ...hasOtherMembersQuery(workspaceId), enabled: invites });
  const isUsed = connections.data?.some(({ last_used_at }) => last_used_at !== null);
  const ownRequests = own.data?.total_requests ?? 0;
  const steps: (Step | false)[] = [
    may('data.write', workspaceId) && { name: 'chat', to: '/w/$workspaceId/playground', isDone: own.data && ownRequests > 0 },
    connects && {
      name: 'connect',
      to: '/w/$workspaceId/connections',
      isDone: connections.data?.some(({ provider, status }) => provider !== 'sandbox' && provider !== 'http-api' && status !== 'disabled'),
    },
    (seesKeys || makesKeys) && { name: 'key', to: '/w/$workspaceId/keys', isDone: key.data },
    seesUsage && {
      name: 'call',
      to: '/w/$workspaceId/usage',
      isDone: connections.data && ((day.data?.requests ?? 0) > ownRequests || (isUsed === true && ownRequests === 0)),
    },
    invites && { name: 'invite', to: '/w/$workspaceId/people', isDone: others.data },
  ];
  const shown = steps.filter((step) => step !== false);
  const done = shown.filter(({ isDone }) => isDone === true).length;
  if (shown.length === 0) return null;
  return (
    <Card
      title={t('steps.title')}
      actions={<span className="text-sm text-muted">{t('steps.done', { count: done, all: shown.length })}</span>}
    >
      <ol className="flex flex-col gap-3">
        {shown.map(({ name, to, isDone }) => (
          <li key={name} className="flex items-start gap-3">
            {isDone === true ? (
              <CircleCheck className="mt-0.5 size-5 shrink-0 text-good" role="img" aria-label={t('steps.isDone')} />
            ) : (
              <Circle className="mt-0.5 size-5 shrink-0 text-muted" role="img" aria-label={t('steps.isOpen')} />
            )}
            <div>
              <Link to={to} params={{ workspaceId }} className="font-medium hover:underline">
                {t(`steps.${name}.title`)}
              </Link>
              <p className="text-sm text-muted">{t(`steps.${name}.text`)}</p>
            </div>
          </li>
        ))}
      </ol>
    </Card>
  );
}
