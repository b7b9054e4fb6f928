import type { ComponentType } from 'react'
import { late } from '../parts/late.tsx'
import type { Channel } from './channel.rules.ts'
import type { PeoplePanelName } from './panel.ts'

/** The sheets over a channel about its people, applications and agents, by the search parameter `panel`. */
export const peoplePanels: Readonly<
  Record<PeoplePanelName, ComponentType<{ channel: Channel; onClose: () => void }> & { preload: () => void }>
> = {
  members: late(() => import('./members/members-panel.tsx').then(panel => panel.MembersPanel)),
  applications: late(() => import('./grants/applications-panel.tsx').then(panel => panel.ApplicationsPanel)),
  agents: late(() => import('./agents/agents-panel.tsx').then(panel => panel.AgentsPanel)),
}
