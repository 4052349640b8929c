import { GroupCommit, type GroupCommitOptions } from '@parley/kit/db/group-commit';
import { histogram } from '@parley/kit/telemetry/meter';

const ROWS = histogram('parley_group_commit_rows');
const SECONDS = histogram('parley_group_commit_seconds');

/** Creates group commits that record their sizes and durations as metrics, once per group instead of once per row. */
export class MeasuredGroupCommits {
  readonly #open: { labels: { statement: string }; commit: { readonly depth: number } }[] = [];

  /** Opens a group commit; `statement` is its label. */
  open<Row, Result = void>(statement: string, options: GroupCommitOptions<Row, Result>): GroupCommit<Row, Result> {
    const labels = { statement };
    const commit = new GroupCommit<Row, Result>({
      ...options,
      write: async (rows) => {
        const began = performance.now();
        ROWS.record(labels, rows.length);
        try {
          return await options.write(rows);
        } finally {
          SECONDS.record(labels, (performance.now() - began) / 1_000);
        }
      },
    });
    this.#open.push({ labels, commit });
    return commit;
  }

  /** Numbers of waiting rows, by statement. */
  listQueueSizes(): { labels: { statement: string }; value: number }[] {
    return this.#open.map(({ labels, commit }) => ({ labels, value: commit.depth }));
  }
}
