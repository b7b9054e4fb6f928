import type { Message } from '#contract/chat/shapes.ts'
import { createStore, type Store } from '../../parts/store.ts'
import {
  covers,
  emptyWindow,
  lastSeqOf,
  type MessagePage,
  type MessageWindow,
  withMessage,
  withNewer,
  withOlder,
  withoutMessage,
} from './message-window.rules.ts'

/** Where messages come from: a channel or a thread. `one` is undefined for a message that the person may not read. */
export type MessageSource = {
  older(before: number): Promise<MessagePage>
  newer(after: number): Promise<MessagePage>
  one(messageId: string): Promise<Message | undefined>
}
export type LoadedMessages = MessageWindow & {
  isLoading: boolean
  isLoadingOlder: boolean
  isLoadingNewer: boolean
  error: unknown
}

/** The messages that a screen holds, and how it gets others. */
export type MessageStore = Pick<Store<LoadedMessages>, 'get' | 'subscribe'> & {
  /** Reads the end, or the messages around a number. */
  open(seq?: number): Promise<void>
  loadOlder(): Promise<void>
  loadNewer(): Promise<void>
  /** New messages exist: reads them, once for all that come within a tenth of a second. */
  catchUp(): void
  /** A message changed: reads it again if the window has it, or has its place. */
  refresh(messageId: string, seq?: number): void
  put(message: Message): void
  close(): void
}

const collectMs = 100
const nothing: LoadedMessages = {
  ...emptyWindow,
  isLoading: true,
  isLoadingOlder: false,
  isLoadingNewer: false,
  error: undefined,
}

export function createMessageStore(source: MessageSource): MessageStore {
  const store = createStore(nothing)
  // replies of a place that was left come too late
  let opening = 0
  let catching: ReturnType<typeof setTimeout> | undefined
  let refreshing: ReturnType<typeof setTimeout> | undefined
  const stale = new Set<string>()
  const change = (part: Partial<LoadedMessages>) => store.set({ ...store.get(), ...part })

  /** Runs a read; what it replies is dropped when another place was opened meanwhile. */
  async function read(load: () => Promise<(window: LoadedMessages) => Partial<LoadedMessages>>) {
    const own = opening
    const rest = { isLoading: false, isLoadingOlder: false, isLoadingNewer: false }
    try {
      const apply = await load()
      if (own === opening) change({ ...rest, error: undefined, ...apply(store.get()) })
    } catch (error) {
      if (own === opening) change({ ...rest, error })
    }
  }

  async function open(seq?: number): Promise<void> {
    opening++
    await read(async () => {
      const [older, newer] = await Promise.all([
        source.older(seq === undefined ? Number.MAX_SAFE_INTEGER : seq + 1),
        seq === undefined ? undefined : source.newer(seq),
      ])
      return () => {
        const end = withOlder({ ...emptyWindow, hasNewer: false }, older)
        return newer ? withNewer(end, newer) : end
      }
    })
  }
  async function loadOlder(): Promise<void> {
    const { items, hasOlder, isLoading, isLoadingOlder } = store.get()
    if (!hasOlder || isLoading || isLoadingOlder) return
    change({ isLoadingOlder: true })
    await read(async () => {
      const page = await source.older(items[0]?.seq ?? Number.MAX_SAFE_INTEGER)
      return now => ({ ...withOlder(now, page), isLoadingNewer: now.isLoadingNewer })
    })
  }
  async function loadNewer(): Promise<void> {
    const now = store.get()
    if (now.isLoading || now.isLoadingNewer) return
    change({ isLoadingNewer: true })
    await read(async () => {
      const page = await source.newer(lastSeqOf(now))
      return later => ({ ...withNewer(later, page), isLoadingOlder: later.isLoadingOlder })
    })
  }
  async function refreshStale(): Promise<void> {
    refreshing = undefined
    const ids = [...stale]
    stale.clear()
    const own = opening
    for (const id of ids) {
      const message = await source.one(id).catch(() => null)
      if (own !== opening) return
      if (message !== null)
        change(message ? withMessage(store.get(), message) : withoutMessage(store.get(), id))
    }
  }
  return {
    get: store.get,
    subscribe: store.subscribe,
    open,
    loadOlder,
    loadNewer,
    catchUp() {
      if (catching !== undefined) return
      catching = setTimeout(() => {
        catching = undefined
        const { hasNewer, isLoading, isLoadingNewer } = store.get()
        if (isLoading || isLoadingNewer) this.catchUp()
        else if (!hasNewer) void loadNewer()
      }, collectMs)
    },
    refresh(id, seq) {
      const now = store.get()
      if (!now.items.some(message => message.id === id) && (seq === undefined || !covers(now, seq))) return
      stale.add(id)
      refreshing ??= setTimeout(() => void refreshStale(), collectMs)
    },
    put: message => change(withMessage(store.get(), message)),
    close() {
      opening++
      clearTimeout(catching)
      clearTimeout(refreshing)
    },
  }
}
