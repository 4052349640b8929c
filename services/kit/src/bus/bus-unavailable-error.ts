/** The broker is not reachable or did not acknowledge in time; a published message may nevertheless have been stored. */
export class BusUnavailableError extends Error {
  override name = 'BusUnavailable';
}
