import { useMay } from '../../../session/use-may.ts';
import { type Sight } from './connections.ts';

/** How much of the connections of a workspace the person is shown. Who is no member has the view of the operator alone. */
export function useSight(workspaceId: string): Sight {
  const may = useMay();
  return may('connections.write', workspaceId) || !may('data.read', workspaceId) ? 'all' : 'states';
}
