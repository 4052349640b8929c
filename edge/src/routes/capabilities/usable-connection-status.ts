/** True for the status of a connection that can be used, now or after its cooldown. */
export function isUsableConnectionStatus(status: string): boolean {
  return status === 'active' || status === 'rate_limited' || status === 'cooldown';
}
