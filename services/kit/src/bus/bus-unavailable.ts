/** The broker cannot be reached or did not acknowledge in time. What was to be published may have been kept. */
export class BusUnavailable extends Error {
  override name = 'BusUnavailable';
}
