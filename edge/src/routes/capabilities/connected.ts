/** True for an account that can be asked, now or when its cooldown is over. */
export function isConnected(status: string): boolean {
  return status === 'active' || status === 'rate_limited' || status === 'cooldown';
}
