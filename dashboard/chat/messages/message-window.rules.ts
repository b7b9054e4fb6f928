import type { Message } from '#contract/chat/shapes.ts'

/** The part of a channel or thread that a screen holds, in the order of the numbers. */
export type MessageWindow = {
  readonly items: readonly Message[]
  /** There are messages before the first one, or after the last one, that were not read yet. */
  readonly hasOlder: boolean
  readonly hasNewer: boolean
}
export type MessagePage = { items: readonly Message[]; hasMore: boolean }

/** More messages than a person sees at once; the document holds no more of them. */
export const mostMessages = 240
export const emptyWindow: MessageWindow = { items: [], hasOlder: true, hasNewer: true }

/** Both lists in the order of the numbers; what was read later wins. */
function merged(items: readonly Message[], added: readonly Message[]): readonly Message[] {
  const byId = new Map([...items, ...added].map(message => [message.id, message]))
  return [...byId.values()].sort((a, b) => a.seq - b.seq)
}

/** Adds a page of older messages, and lets the newest go if there are too many. */
export function withOlder({ items, hasNewer }: MessageWindow, page: MessagePage): MessageWindow {
  const all = merged(items, page.items)
  return {
    items: all.slice(0, mostMessages),
    hasOlder: page.hasMore,
    hasNewer: hasNewer || all.length > mostMessages,
  }
}

/** Adds a page of newer messages, and lets the oldest go if there are too many. */
export function withNewer({ items, hasOlder }: MessageWindow, page: MessagePage): MessageWindow {
  const all = merged(items, page.items)
  return {
    items: all.slice(-mostMessages),
    hasOlder: hasOlder || all.length > mostMessages,
    hasNewer: page.hasMore,
  }
}

/** Writes a message that changed, or that the person may read now, if it lies in the window. */
export function withMessage(window: MessageWindow, message: Message): MessageWindow {
  return covers(window, message.seq) ? { ...window, items: merged(window.items, [message]) } : window
}

/** Removes a message that the person may not read any more. */
export function withoutMessage(window: MessageWindow, id: string): MessageWindow {
  return window.items.some(message => message.id === id)
    ? { ...window, items: window.items.filter(message => message.id !== id) }
    : window
}

/** Whether a message with this number would be in the window. */
export function covers({ items, hasOlder, hasNewer }: MessageWindow, seq: number): boolean {
  const first = items[0]?.seq ?? 0
  const last = items.at(-1)?.seq ?? 0
  return (!hasOlder || seq >= first) && (!hasNewer || seq <= last)
}

/** The number after which the next page begins; 0 for an empty channel. */
export function lastSeqOf({ items }: MessageWindow): number {
  return items.at(-1)?.seq ?? 0
}
