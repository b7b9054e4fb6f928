import { useRouter } from '@tanstack/react-router'
import { useOrganization } from '../data/organization.tsx'

/** The parts of a channel that are open as a sheet over it (`panel`), and as a tab of its page of people. */
export const channelPanels = ['members', 'applications', 'agents'] as const
export type ChannelPanel = (typeof channelPanels)[number]

/** The URLs of a channel, and of what belongs to it. */
export function useChannelHref() {
  const { address } = useOrganization()
  const { routesByPath } = useRouter()
  const base = `/o/${encodeURIComponent(address)}`
  return {
    /** The channel itself; undefined without a screen for it. */
    channelHref: (channelId: string, search = '') =>
      '/o/$organization/channels/$channelId' in routesByPath
        ? `${base}/channels/${channelId}${search}`
        : undefined,
    peopleHref: (channelId: string, panel: ChannelPanel) =>
      `${base}/channels/${channelId}/people${panel === 'members' ? '' : `?panel=${panel}`}`,
    agentHref: (agentId: string) => `${base}/agents/${agentId}`,
  }
}
