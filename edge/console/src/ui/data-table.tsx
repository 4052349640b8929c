import { type ColumnDef, flexRender, getCoreRowModel, type Row, type SortingState, useReactTable } from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { clsx } from 'clsx';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { memo, type ReactNode, useDeferredValue, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from './button.tsx';

interface DataTableProps<T> {
  /** What the table lists, for screen readers. */
  label: string;
  rows: readonly T[];
  rowId: (row: T) => string;
  /** Give each a `size` in pixels; a column's `meta` may hold `isWide` to take what is left. */
  columns: readonly ColumnDef<T>[];
  sorting?: SortingState;
  /** Asks the gateway for another order; without it no column is sorted. */
  onSort?: (sorting: SortingState) => void;
  /** The same function from one drawing to the next, or every row is drawn anew. */
  onOpen?: (row: T) => void;
  /** There are more rows than were read. */
  hasMore?: boolean;
  isReadingMore?: boolean;
  onMore?: () => void;
  /** Beside the count of rows. */
  footer?: ReactNode;
  rowHeight?: number;
}

const FROM_END = 10;

/** A list of any length: only the rows in sight are in the page, and the next ones are read before the end is reached. */
export function DataTable<T>(props: DataTableProps<T>) {
  const {
    label,
    rows: given,
    rowId,
    columns,
    sorting = [],
    onSort,
    onOpen,
    hasMore = false,
    isReadingMore = false,
    onMore,
    footer,
    rowHeight = 48,
  } = props;
  const { t } = useTranslation();
  // Other rows are drawn in slices, between which the page answers to its user.
  const rows = useDeferredValue(given);
  const scroller = useRef<HTMLDivElement>(null);
  const table = useReactTable({
    data: rows as T[],
    columns: columns as ColumnDef<T>[],
    getRowId: rowId,
    getCoreRowModel: getCoreRowModel(),
    manualSorting: true,
    enableSorting: onSort !== undefined,
    state: { sorting },
    onSortingChange: (change) => onSort?.(typeof change === 'function' ? change(sorting) : change),
  });
  const { rows: all } = table.getRowModel();
  const virtual = useVirtualizer({
    count: all.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 3,
    // Several turns of a wheel in one frame are drawn once.
    useFlushSync: false,
    onChange: ({ range }) => {
      if (range && hasMore && !isReadingMore && range.endIndex >= all.length - FROM_END) onMore?.();
    },
  });
  const template = table
    .getVisibleLeafColumns()
    .map(({ columnDef }) => (isWide(columnDef) ? `minmax(${columnDef.size ?? 160}px, 1fr)` : `${columnDef.size ?? 140}px`))
    .join(' ');
  return (
    <div className="flex min-h-0 flex-col gap-2">
      {/* A region that scrolls is reached by keyboard. */}
      <div
        ref={scroller}
        role="region"
        aria-label={label}
        tabIndex={0}
        className="max-h-[max(10rem,calc(100dvh-16rem))] overflow-auto rounded-xl border bg-surface"
      >
        <div role="table" aria-label={label} aria-rowcount={hasMore ? -1 : all.length + 1} className="min-w-max">
          <div role="rowgroup" className="sticky top-0 z-10 bg-surface">
            {table.getHeaderGroups().map((group) => (
              <div key={group.id} role="row" aria-rowindex={1} className="grid border-b" style={{ gridTemplateColumns: template }}>
                {group.headers.map(({ id, column, getContext }) => {
                  const order = column.getIsSorted();
                  const heading = flexRender(column.columnDef.header, getContext());
                  return (
                    <div
                      key={id}
                      role="columnheader"
                      aria-sort={order === 'asc' ? 'ascending' : order === 'desc' ? 'descending' : undefined}
                      className="px-3 py-2 text-start text-xs font-medium text-muted"
                    >
                      {column.getCanSort() ? (
                        <button type="button" className="inline-flex items-center gap-1" onClick={column.getToggleSortingHandler()}>
                          {heading}
                          {order === 'asc' && <ArrowUp className="size-3" aria-hidden />}
                          {order === 'desc' && <ArrowDown className="size-3" aria-hidden />}
                        </button>
                      ) : (
                        heading
                      )}
                    </div>
                  );
                })}
              </div>
            ))}
          </div>
          <div role="rowgroup" className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ index, start }) => {
              const row = all[index];
              return row && <TableRow key={row.id} {...{ row, columns, index, start, template, rowHeight, onOpen }} />;
            })}
          </div>
        </div>
      </div>
      <div className="flex min-h-8 flex-wrap items-center justify-between gap-2 text-sm text-muted">
        <span>{footer ?? t('rows', { count: all.length })}</span>
        {hasMore && (
          <Button size="small" isBusy={isReadingMore} onClick={onMore}>
            {t('more')}
          </Button>
        )}
      </div>
    </div>
  );
}

interface TableRowProps<T> {
  row: Row<T>;
  /** Other columns may draw the same row in another way. */
  columns: readonly ColumnDef<T>[];
  index: number;
  start: number;
  template: string;
  rowHeight: number;
  onOpen: ((row: T) => void) | undefined;
}

/** Is drawn anew only when something of it has changed, so that scrolling draws what comes into sight. */
const TableRow = memo(function TableRow<T>({ row, index, start, template, rowHeight, onOpen }: TableRowProps<T>) {
  const open = onOpen && (() => onOpen(row.original));
  return (
    // The link or button in a row is what keyboards reach; a click anywhere in it is a shortcut of it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      tabIndex={-1}
      aria-rowindex={index + 2}
      onClick={open}
      className={clsx('absolute inset-x-0 grid items-center border-b text-sm', open && 'cursor-pointer hover:bg-canvas')}
      style={{ gridTemplateColumns: template, height: rowHeight, transform: `translateY(${start}px)` }}
    >
      {row.getVisibleCells().map((cell) => (
        <div key={cell.id} role="cell" className="min-w-0 truncate px-3">
          {flexRender(cell.column.columnDef.cell, cell.getContext())}
        </div>
      ))}
    </div>
  );
}) as <T>(props: TableRowProps<T>) => ReactNode;

function isWide<T>({ meta }: ColumnDef<T>): boolean {
  return typeof meta === 'object' && 'isWide' in meta && meta.isWide === true;
}
