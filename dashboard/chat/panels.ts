import type { ComponentType } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import { late } from '../parts/late.tsx'

/** What a panel of a channel takes. It shows a sheet. */
export type ChannelPanelProps = { channel: OwnChannel; onClose: () => void }
export const panelNames = ['members', 'applications', 'agents', 'settings'] as const
export type PanelName = (typeof panelNames)[number]

/** The sheets beside a channel, by the search parameter `panel`. The head has a button for each one that is here. */
export const channelPanels: Readonly<Partial<Record<PanelName, ComponentType<ChannelPanelProps>>>> = {
  settings: late(() => import('./channels/settings-panel.tsx').then(panel => panel.SettingsPanel)),
}
