import type { ComponentType } from 'react'
import { late } from '../parts/late.tsx'
import type { ChannelPanelProps, PanelName } from './panel.ts'
import { peoplePanels } from './people-panels.ts'

/** The sheets beside a channel, by the search parameter `panel`. The head has a button for each one that is here. */
export const channelPanels: Readonly<Partial<Record<PanelName, ComponentType<ChannelPanelProps>>>> = {
  ...peoplePanels,
  settings: late(() => import('./channels/settings-panel.tsx').then(panel => panel.SettingsPanel)),
}
