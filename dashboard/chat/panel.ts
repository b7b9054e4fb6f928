import type { OwnChannel } from '#contract/chat/channels.ts'

/** The properties of a panel of a channel. It shows a sheet. */
export type ChannelPanelProps = { channel: OwnChannel; onClose: () => void }
export const panelNames = ['members', 'applications', 'agents', 'settings'] as const
export type PanelName = (typeof panelNames)[number]

/** The panels about the people of a channel: as a sheet over it (`panel`), and as tabs of its page of people. */
export const peoplePanelNames = ['members', 'applications', 'agents'] as const
export type PeoplePanelName = (typeof peoplePanelNames)[number]
