/** Returns the command-line settings of the embedded server; passed at every start, so that an older cluster uses them too. */
export function postgresSettings(port: number, durable: boolean, countsStatements: boolean): string[] {
  const settings: Record<string, string | number> = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    // All statements are short: compiling or parallelising them costs more than it saves.
    jit: 'off',
    max_parallel_workers_per_gather: 0,
    log_min_messages: 'warning',
    log_line_prefix: '%m [%p] ',
    log_checkpoints: 'off',
    // Commits still reach the kernel: only a power loss, not kill -9, can lose them.
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off' }),
    ...(countsStatements ? { shared_preload_libraries: 'pg_stat_statements' } : {}),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
