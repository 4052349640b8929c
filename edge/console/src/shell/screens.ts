import {
  AudioLines,
  Boxes,
  ChartColumn,
  FolderOpen,
  Home,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  PlugZap,
  ScanSearch,
  Settings,
  Sparkles,
  Users,
} from 'lucide-react';

/** A screen of a workspace that the navigation leads to. */
export interface Screen {
  name: string;
  to: `/w/$workspaceId${string}`;
  icon: LucideIcon;
  /** Hidden from those without any of these; without them, for all. */
  permissions?: readonly string[];
}

/** The navigation, in its order. Names are keys of the texts. */
export const SCREENS = [
  { name: 'home', to: '/w/$workspaceId', icon: Home },
  { name: 'playground', to: '/w/$workspaceId/playground', icon: Sparkles, permissions: ['data.write'] },
  { name: 'conversations', to: '/w/$workspaceId/conversations', icon: MessagesSquare, permissions: ['data.read'] },
  { name: 'projects', to: '/w/$workspaceId/projects', icon: FolderOpen, permissions: ['data.read'] },
  { name: 'connections', to: '/w/$workspaceId/connections', icon: PlugZap },
  { name: 'keys', to: '/w/$workspaceId/keys', icon: KeyRound, permissions: ['keys.read', 'own_keys.write'] },
  { name: 'usage', to: '/w/$workspaceId/usage', icon: ChartColumn },
  { name: 'requests', to: '/w/$workspaceId/requests', icon: ScanSearch, permissions: ['requests.read'] },
  { name: 'audio', to: '/w/$workspaceId/audio', icon: AudioLines, permissions: ['data.read'] },
  { name: 'actions', to: '/w/$workspaceId/actions', icon: Boxes },
  { name: 'people', to: '/w/$workspaceId/people', icon: Users },
  { name: 'settings', to: '/w/$workspaceId/settings', icon: Settings },
] as const satisfies readonly Screen[];
