import { type Finding } from './finding.ts';

const OLDEST = [20, 19] as const;

/** Whether this Node can run Parley. */
export function checkNodeVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  if (!isOld) return { name: 'node', state: 'ok', detail: `version ${version}` };
  return {
    name: 'node',
    state: 'failed',
    detail: `version ${version} is too old`,
    advice: `install Node ${OLDEST.join('.')} or newer (20 or 22)`,
  };
}
