import { spawn } from 'node:child_process';

/**
 * Guards a child process with another process: when this process ends (kill -9 too), a small shell sees its pipe close and sends `signal`
 * to `pid`. Returns a function that ends the guard once the child has ended.
 */
export function guardAgainstOrphan(pid: number, signal: 'INT' | 'TERM'): () => void {
  const guard = spawn('/bin/sh', ['-c', 'read _; kill -s "$0" "$1" 2>/dev/null', signal, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A separate session: Ctrl-C in the terminal reaches neither guard nor child; this process determines the order of stopping.
    detached: true,
    cwd: '/',
    env: {},
  });
  // Without a shell there is no guard; the next start still stops orphans.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => void guard.kill('SIGKILL');
}
