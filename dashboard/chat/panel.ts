import type { OwnChannel } from '#contract/chat/channels.ts'

/** The properties of a panel of a channel. It shows a sheet. */
export type ChannelPanelProps = { channel: OwnChannel; onClose: () => void }
export const panelNames = ['members', 'applications', 'agents', 'settings'] as const
export type PanelName = (typeof panelNames)[number]
