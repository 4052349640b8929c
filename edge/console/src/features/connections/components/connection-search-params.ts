import { type ConnectionFilters } from '../queries/connections.ts';

/** What the list of connections is narrowed to, in the address. */
export interface ConnectionSearchParams extends Omit<ConnectionFilters, 'text'> {
  q?: string | undefined;
  /** The dialog that connects an account is open. */
  connect?: boolean | undefined;
}
