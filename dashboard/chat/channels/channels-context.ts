import { createContext, useContext } from 'react'
import type { OwnChannel } from '#contract/chat/channels.ts'
import type { useChannels } from './use-channels.ts'

type Channels = ReturnType<typeof useChannels> & {
  /** The next channel with unread messages. */
  next: OwnChannel | undefined
  /** Begins a conversation; undefined if the person may not. */
  create: (() => void) | undefined
}

export const ChannelsContext = createContext<Channels | undefined>(undefined)

/** The channels of the person. Only for screens inside the frame of the channels. */
export function useChannelsContext(): Channels {
  const channels = useContext(ChannelsContext)
  if (!channels) throw new Error('This screen is not inside the frame of the channels')
  return channels
}
