import { Link } from '@tanstack/react-router';
import { type ColumnDef } from '@tanstack/react-table';
import { type TFunction } from 'i18next';
import { type Formatter } from '../../../i18n/formatter.ts';
import { RelativeTime } from '../../../ui/relative-time.tsx';
import { type Turn } from '../queries/turns.ts';
import { TurnBadge } from './turn-badge.tsx';

interface TurnColumnsOptions {
  t: TFunction<'requests'>;
  format: Formatter;
  workspaceId: string;
  /** Names of keys by id. */
  keyNames: ReadonlyMap<string, string>;
}

/** The columns of a list of turns. */
export function turnColumns({ t, format, workspaceId, keyNames }: TurnColumnsOptions): ColumnDef<Turn>[] {
  return [
    {
      id: 'request',
      header: t('requestId'),
      size: 150,
      meta: { isWide: true },
      cell: ({ row: { original } }) => (
        <Link
          to="/w/$workspaceId/requests/$requestId"
          params={{ workspaceId, requestId: original.request_id }}
          onClick={(event) => event.stopPropagation()}
          className="block truncate font-mono text-xs underline"
        >
          {original.request_id}
        </Link>
      ),
    },
    { id: 'started', header: t('columns.started'), size: 112, cell: ({ row }) => <RelativeTime isShort at={row.original.started_at} /> },
    { id: 'status', header: t('columns.status'), size: 108, cell: ({ row }) => <TurnBadge status={row.original.status} /> },
    {
      id: 'error',
      header: t('columns.error'),
      size: 150,
      cell: ({ row }) => (row.original.error ? <code className="text-xs text-bad">{row.original.error.code}</code> : '–'),
    },
    { id: 'model', header: t('columns.model'), size: 116, cell: ({ row }) => row.original.model || '–' },
    {
      id: 'connection',
      header: t('columns.connection'),
      size: 112,
      cell: ({ row }) => row.original.connection.label ?? (row.original.connection.id || '–'),
    },
    {
      id: 'attempts',
      header: t('columns.attempts'),
      size: 76,
      cell: ({ row }) => <span className="tabular-nums">{format.number(row.original.attempts.length)}</span>,
    },
    {
      id: 'key',
      header: t('columns.key'),
      size: 104,
      cell: ({ row }) => keyNames.get(row.original.key_id) ?? `${row.original.key_id.slice(0, 8)}…`,
    },
    {
      id: 'tokens',
      header: t('columns.tokens'),
      size: 110,
      cell: ({ row: { original } }) => (
        <span className="tabular-nums">
          {t('inOutShort', { in: format.compact(original.tokens_in), out: format.compact(original.tokens_out) })}
        </span>
      ),
    },
    {
      id: 'took',
      header: t('columns.took'),
      size: 96,
      cell: ({ row: { original } }) => (
        <span className="tabular-nums">{original.duration_ms === null ? '…' : format.milliseconds(original.duration_ms)}</span>
      ),
    },
  ];
}
