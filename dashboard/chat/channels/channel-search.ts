import { type PanelName, panelNames } from '../panel.ts'

/** The search parameters of a channel. */
export type ChannelSearch = {
  /** The first message of the open thread. */
  thread?: string
  /** The message that is shown in its context. */
  message?: string
  panel?: PanelName
  /** Where the person came from: the list to which they can go back. */
  from?: 'search' | 'mentions' | 'threads'
  /** The words that they searched there. */
  q?: string
  /** The channel in which they searched. */
  in?: string
}

const textIn = (value: unknown) =>
  (typeof value === 'string' || typeof value === 'number') && value !== '' ? String(value) : undefined

export function channelSearchOf(search: Record<string, unknown>): ChannelSearch {
  const part = {
    thread: textIn(search.thread),
    message: textIn(search.message),
    panel: panelNames.find(name => name === search.panel),
    from: (['search', 'mentions', 'threads'] as const).find(name => name === search.from),
    q: textIn(search.q),
    in: textIn(search.in),
  }
  return Object.fromEntries(Object.entries(part).filter(([, value]) => value !== undefined))
}
