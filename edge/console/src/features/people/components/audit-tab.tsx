import { useMutation } from '@tanstack/react-query';
import { type ColumnDef } from '@tanstack/react-table';
import { Download, ScrollText, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { adminClient } from '../../../api/admin.ts';
import { unwrap } from '../../../api/unwrap.ts';
import { useFormatter } from '../../../i18n/formatter.ts';
import { usePermissionCheck } from '../../../session/use-permission-check.ts';
import { Button } from '../../../ui/button.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { EmptyState } from '../../../ui/empty-state.tsx';
import { Note } from '../../../ui/note.tsx';
import { ProblemNote } from '../../../ui/problem-note.tsx';
import { Snippet } from '../../../ui/snippet.tsx';
import { type AuditEntry, type AuditFilter, downloadAuditLog, useAudit } from '../queries/audit.ts';
import { type PeopleScope, useMembers } from '../queries/people.ts';
import { type AuditFields, AuditFilters } from './audit-filters.tsx';
import { ListFrame } from './list-frame.tsx';
import { ScopeSelect } from './scope-select.tsx';

interface AuditTabProps {
  workspaceId: string;
  scope: PeopleScope;
  onScope: (scope: PeopleScope) => void;
  fields: AuditFields;
  onFilter: (fields: AuditFields) => void;
}

/** Who changed what, when, from where: with filters, export and proof. */
export function AuditTab({ workspaceId, scope, onScope, fields, onFilter }: AuditTabProps) {
  const { t } = useTranslation('people');
  const may = usePermissionCheck();
  const format = useFormatter();
  const nameOf = useNames(workspaceId);
  const shownWorkspace = scope === 'workspace' ? workspaceId : undefined;
  const filter: AuditFilter = { ...fields, workspaceId: shownWorkspace };
  const list = useAudit(filter);
  const [opened, setOpened] = useState<AuditEntry>();
  const save = useMutation({ mutationFn: () => downloadAuditLog(shownWorkspace) });
  const verify = useMutation({ mutationFn: () => unwrap(adminClient.GET('/admin/v1/audit/verify')) });
  const entries = list.data?.pages.flatMap((page) => page.entries) ?? [];
  const columns: ColumnDef<AuditEntry>[] = [
    { id: 'at', header: t('audit.at'), size: 215, cell: ({ row: { original } }) => format.dateTime(original.at) },
    {
      id: 'action',
      header: t('audit.action'),
      size: 190,
      cell: ({ row: { original } }) => (
        <button type="button" className="font-mono text-accent underline" onClick={() => setOpened(original)}>
          {original.action}
        </button>
      ),
    },
    {
      id: 'actor',
      header: t('audit.actor'),
      size: 200,
      meta: { isWide: true },
      cell: ({ row: { original } }) => nameOf(original.actor.id) ?? t(`audit.kinds.${original.actor.kind}`),
    },
    {
      id: 'target',
      header: t('audit.target'),
      size: 200,
      meta: { isWide: true },
      cell: ({ row: { original } }) => nameOf(original.target_id) ?? <code>{original.target_id}</code>,
    },
    { id: 'address', header: t('audit.address'), size: 130, cell: ({ row: { original } }) => original.actor.address },
  ];
  return (
    <ListFrame
      list={list}
      lead={t('audit.lead')}
      toolbar={
        <>
          {may('audit.read') && <ScopeSelect scope={scope} onChange={onScope} />}
          <Button isBusy={save.isPending} onClick={() => save.mutate()}>
            <Download className="size-4" aria-hidden />
            {t('audit.export')}
          </Button>
          {may('audit.verify') && (
            <Button isBusy={verify.isPending} onClick={() => verify.mutate()}>
              <ShieldCheck className="size-4" aria-hidden />
              {t('audit.verify')}
            </Button>
          )}
        </>
      }
    >
      <AuditFilters key={JSON.stringify(fields)} fields={fields} onFilter={onFilter} />
      {save.error && <ProblemNote error={save.error} />}
      {verify.error && <ProblemNote error={verify.error} />}
      {verify.data && <Verified {...verify.data} />}
      {entries.length === 0 ? (
        <EmptyState icon={ScrollText} title={t('audit.none')}>
          {t('audit.noneText')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('tabs.audit')}
          rows={entries}
          rowId={({ id }) => id}
          columns={columns}
          rowHeight={42}
          hasMore={list.hasNextPage}
          isReadingMore={list.isFetchingNextPage}
          onMore={() => void list.fetchNextPage()}
        />
      )}
      {opened && (
        <Dialog isOpen onClose={() => setOpened(undefined)} size="wide" title={opened.action} description={format.dateTime(opened.at)}>
          <Snippet code={JSON.stringify(opened, null, 2)} label={t('audit.entry')} />
        </Dialog>
      )}
    </ListFrame>
  );
}

interface VerifiedProps {
  entries: number;
  problem: { seq: number; problem: 'missing' | 'changed' | 'forked' } | null;
  head: { seq: number; hash: string } | null;
}

function Verified({ entries, problem, head }: VerifiedProps) {
  const { t } = useTranslation('people');
  const format = useFormatter();
  if (problem) {
    return (
      <Note tone="bad" role="alert">
        {t(`audit.problems.${problem.problem}`, { seq: problem.seq })}
      </Note>
    );
  }
  return (
    <Note tone="good" role="status">
      <p>{t('audit.holds', { count: entries, number: format.number(entries) })}</p>
      {head && (
        <p className="flex flex-wrap items-center gap-1">
          {t('audit.head')} <code className="break-all">{head.hash}</code>
          <CopyButton text={head.hash} what={t('audit.hash')} />
        </p>
      )}
    </Note>
  );
}

/** Names of the members of the workspace, by their ids. */
function useNames(workspaceId: string): (id: string | null) => string | undefined {
  const { rows } = useMembers(workspaceId, '');
  return (id) => rows.find(({ user_id: userId }) => userId === id)?.display_name;
}
