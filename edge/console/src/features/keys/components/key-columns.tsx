import { type ColumnDef } from '@tanstack/react-table';
import { clsx } from 'clsx';
import { type TFunction } from 'i18next';
import { MoreHorizontal } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { sortByUsedShare, type QuotaUse } from '../../../api/quota.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Menu, MenuItem } from '../../../ui/menu.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type KeyStatus, toKeyStatus } from '../key-status.ts';
import { type ApiKey } from '../queries/keys.ts';

interface KeyColumnsOptions {
  t: TFunction<'keys'>;
  /** Requests of the last 24 hours; undefined where that is not known. */
  requestsOf: (key: ApiKey) => number | undefined;
  /** Names of the people whose keys are shown; undefined hides the column. */
  userNames: ReadonlyMap<string, string> | undefined;
  workspaceNames: ReadonlyMap<string, string> | undefined;
  /** Undefined for who may not. */
  onEdit: ((key: ApiKey) => void) | undefined;
  onRevoke: ((key: ApiKey) => void) | undefined;
}

/** The columns of a list of keys; those that the gateway can sort by have a value. */
export function keyColumns({ t, requestsOf, userNames, workspaceNames, onEdit, onRevoke }: KeyColumnsOptions): ColumnDef<ApiKey>[] {
  const whose = (names: ReadonlyMap<string, string>, id: string) => names.get(id) ?? `${id.slice(0, 8)}…`;
  return [
    {
      id: 'name',
      header: t('columns.name'),
      accessorFn: ({ name }) => name,
      size: 170,
      meta: { isWide: true },
      cell: ({ row: { original } }) => <NameCell keyRow={original} onEdit={onEdit} />,
    },
    {
      id: 'status',
      header: t('columns.status'),
      size: 96,
      cell: ({ row: { original } }) => <StatusBadge status={toKeyStatus(original)} />,
    },
    ...(workspaceNames
      ? [
          {
            id: 'workspace',
            header: t('columns.workspace'),
            size: 120,
            cell: ({ row }) => whose(workspaceNames, row.original.workspace_id),
          } as ColumnDef<ApiKey>,
        ]
      : []),
    ...(userNames
      ? [
          {
            id: 'user',
            header: t('columns.user'),
            size: 120,
            cell: ({ row }) => whose(userNames, row.original.user_id),
          } as ColumnDef<ApiKey>,
        ]
      : []),
    { id: 'scopes', header: t('columns.scopes'), size: 124, cell: ({ row: { original } }) => <ScopesCell keyRow={original} /> },
    {
      id: 'used',
      header: t('columns.used'),
      size: 225,
      cell: ({ row: { original } }) => <UseCell keyRow={original} requests={requestsOf(original)} />,
    },
    {
      id: 'last_used',
      header: t('columns.lastUsed'),
      accessorFn: ({ last_used_at }) => last_used_at,
      size: 116,
      cell: ({ row: { original } }) =>
        original.last_used_at ? <RelativeTime isShort at={original.last_used_at} /> : <span className="text-muted">{t('never')}</span>,
    },
    {
      id: 'expires',
      header: t('columns.expires'),
      size: 104,
      cell: ({ row: { original } }) =>
        original.expires_at ? <RelativeTime isShort at={original.expires_at} /> : <span className="text-muted">{t('never')}</span>,
    },
    ...(onEdit || onRevoke
      ? [
          {
            id: 'commands',
            header: () => <span className="sr-only">{t('columns.commands')}</span>,
            size: 52,
            cell: ({ row: { original } }) => <KeyMenu keyRow={original} onEdit={onEdit} onRevoke={onRevoke} />,
          } as ColumnDef<ApiKey>,
        ]
      : []),
  ];
}

interface KeyCommands {
  keyRow: ApiKey;
  onEdit: ((key: ApiKey) => void) | undefined;
  onRevoke: ((key: ApiKey) => void) | undefined;
}

function NameCell({ keyRow, onEdit }: Omit<KeyCommands, 'onRevoke'>) {
  const { name, prefix, revoked_at } = keyRow;
  return (
    <div className="min-w-0">
      {onEdit && revoked_at === null ? (
        <button type="button" className="block max-w-full truncate text-start font-medium hover:underline" onClick={() => onEdit(keyRow)}>
          {name}
        </button>
      ) : (
        <span className="block truncate font-medium">{name}</span>
      )}
      <code className="block truncate text-xs text-muted">{`${prefix}…`}</code>
    </div>
  );
}

function ScopesCell({ keyRow: { scopes, project } }: { keyRow: ApiKey }) {
  const { t } = useTranslation('keys');
  const all = scopes.join(', ');
  return (
    <div className="min-w-0">
      <span className={clsx('text-xs', project === null ? 'line-clamp-2 whitespace-normal' : 'block truncate')} title={all}>
        {all}
      </span>
      {project !== null && <span className="block truncate text-xs text-muted">{t('inProject', { project })}</span>}
    </div>
  );
}

const TONES = { active: 'good', expired: 'warn', revoked: 'bad' } as const;

function StatusBadge({ status }: { status: KeyStatus }) {
  const { t } = useTranslation('keys');
  return <Badge tone={TONES[status]}>{t(`status.${status}`)}</Badge>;
}

/** Requests of a day, and the quota of which most is used; the others for who points at it. */
function UseCell({ keyRow, requests }: { keyRow: ApiKey; requests: number | undefined }) {
  const { t } = useTranslation('keys');
  const format = useFormatter();
  const uses = sortByUsedShare(keyRow.quota_use ?? []);
  const textOf = ({ metric, used, limit, window_seconds }: QuotaUse) =>
    t('usedOf', {
      ...{ metric: t(`metrics.${metric}`), used: format.compact(used), limit: format.compact(limit) },
      window: format.duration(window_seconds),
    });
  const [fullest] = uses;
  return (
    <div className="flex flex-col gap-0.5" title={uses.map(textOf).join('; ')}>
      {requests !== undefined && (
        <span className="tabular-nums">{t('requests24h', { count: requests, number: format.number(requests) })}</span>
      )}
      {fullest && (
        <Meter
          label={t('quotaOf', { name: keyRow.name, metric: t(`metrics.${fullest.metric}`) })}
          value={fullest.used}
          max={fullest.limit}
          text={textOf(fullest)}
          isStacked
        />
      )}
      {!keyRow.quota_use && <QuotaTexts keyRow={keyRow} />}
    </div>
  );
}

/** The bounds alone, where the use is unknown. */
function QuotaTexts({ keyRow: { quotas } }: { keyRow: ApiKey }) {
  const { t } = useTranslation('keys');
  const set = (Object.entries(quotas) as [keyof typeof quotas, string | null][]).filter(([, text]) => text !== null);
  const text = set.map(([metric, bound]) => `${t(`metrics.${metric}`)}: ${bound}`).join('; ');
  return (
    <span className="truncate text-xs text-muted" title={text}>
      {text}
    </span>
  );
}

function KeyMenu({ keyRow, onEdit, onRevoke }: KeyCommands) {
  const { t } = useTranslation('keys');
  if (keyRow.revoked_at !== null) return null;
  return (
    <Menu
      trigger={
        <Button look="ghost" size="icon" aria-label={t('commandsFor', { name: keyRow.name })}>
          <MoreHorizontal className="size-4" aria-hidden />
        </Button>
      }
    >
      {onEdit && <MenuItem onSelect={() => onEdit(keyRow)}>{t('edit')}</MenuItem>}
      {onRevoke && (
        <MenuItem isDangerous onSelect={() => onRevoke(keyRow)}>
          {t('revoke')}
        </MenuItem>
      )}
    </Menu>
  );
}
