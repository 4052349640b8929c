import { spawn } from 'node:child_process';

/**
 * Watches over a child from outside: when this process vanishes (kill -9 too), a tiny shell sees its pipe close and sends `signal` to `pid`.
 * Returns a function that dismisses the guard once the child is gone.
 */
export function guardAgainstOrphan(pid: number, signal: 'INT' | 'TERM'): () => void {
  const guard = spawn('/bin/sh', ['-c', 'read _; kill -s "$0" "$1" 2>/dev/null', signal, String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // A session of its own: Ctrl-C in the terminal reaches neither guard nor child; the order of stopping stays ours.
    detached: true,
    cwd: '/',
    env: {},
  });
  // Without a shell there is no guard; the leftover check of the next start remains.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  guard.unref();
  (guard.stdin as unknown as { unref?: () => void }).unref?.();
  return () => void guard.kill('SIGKILL');
}
