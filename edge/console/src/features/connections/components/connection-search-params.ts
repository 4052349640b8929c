import { type ConnectionFilters } from '../queries/connections.ts';

/** Search parameters of the list of connections in the address. */
export interface ConnectionSearchParams extends Omit<ConnectionFilters, 'text'> {
  q?: string | undefined;
  /** The dialog that connects an account is open. */
  connect?: boolean | undefined;
}
