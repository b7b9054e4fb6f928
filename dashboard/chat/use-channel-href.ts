import { useOrganization } from '../data/organization.tsx'

import type { PeoplePanelName } from './panel.ts'

/** The URLs of a channel, and of what belongs to it. */
export function useChannelHref() {
  const { address } = useOrganization()
  const base = `/o/${encodeURIComponent(address)}`
  return {
    channelHref: (channelId: string, search = '') => `${base}/channels/${channelId}${search}`,
    peopleHref: (channelId: string, panel: PeoplePanelName) =>
      `${base}/channels/${channelId}/people${panel === 'members' ? '' : `?panel=${panel}`}`,
    agentHref: (agentId: string) => `${base}/agents/${agentId}`,
  }
}
