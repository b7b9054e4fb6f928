import { CallError } from '#sdk/client.ts'
import type { StreamEvent } from '#sdk/stream.ts'
import type { Connection } from './connection.ts'

/** Opens the stream after an event; ends with an error when the server refuses it for good. */
export type OpenStream = (options: {
  lastEventId: string | undefined
  signal: AbortSignal
  onReconnect: (reason: unknown) => void
}) => AsyncIterable<StreamEvent>

export type SharedStreamOptions = {
  /** Names the person and the organization: tabs with the same name share a stream. */
  name: string
  open: OpenStream
  /** Where the stream goes on, if no other tab has it. */
  position?: string | undefined
  /** Receives every event, in the tab that has the stream and in all others. */
  onEvent: (event: StreamEvent) => void
  onState: (state: Connection['state']) => void
  /** Calls its listener when the browser is back online, offline, or when the page is shown or hidden. */
  environment: {
    onOnline: (listener: () => void) => () => void
    onOffline: (listener: () => void) => () => void
    /** Calls the listener at once and on each change. Only asked without Web Locks. */
    onVisibility: (listener: (isVisible: boolean) => void) => () => void
  }
}

type TabMessage =
  | { kind: 'event'; event: StreamEvent }
  | { kind: 'state'; state: Connection['state']; lastEventId: string | undefined }
  | { kind: 'where' }

/** After a refusal the stream is tried again, for people who get their rights back. */
const afterRefusalMs = 60_000

/**
 * One event stream for all tabs of a browser. The tab that holds the Web Lock opens it and hands the events to
 * the others. Every tab knows the id of the last event, so the next one goes on where the former leader ended,
 * and nothing is missed. Without Web Locks (plain http), only visible tabs have a stream. Returns what ends it.
 */
export function shareStream({
  name,
  open,
  position,
  onEvent,
  onState,
  environment,
}: SharedStreamOptions): () => void {
  const channel = new BroadcastChannel(name)
  const ended = new AbortController()
  let lastEventId = position
  let state: Connection['state'] = 'connecting'
  let isLeader = false
  let attempt: AbortController | undefined

  function setState(next: Connection['state']): void {
    state = next
    onState(next)
    if (isLeader) send({ kind: 'state', state: next, lastEventId })
  }
  function send(message: TabMessage): void {
    channel.postMessage(message)
  }
  function receive(event: StreamEvent): void {
    lastEventId = event.id ?? lastEventId
    onEvent(event)
  }
  channel.onmessage = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === 'event') return receive(data.event)
    if (data.kind === 'where') return isLeader ? send({ kind: 'state', state, lastEventId }) : undefined
    lastEventId = data.lastEventId ?? lastEventId
    setState(data.state)
  }

  const onReconnect = (reason: unknown) => setState(isTooMany(reason) ? 'tooMany' : 'reconnecting')

  /** Reads the stream until the signal ends it, opening it again at once when the browser is back online. */
  async function lead(signal: AbortSignal): Promise<void> {
    isLeader = true
    setState('connecting')
    while (!signal.aborted) {
      attempt = new AbortController()
      const either = AbortSignal.any([signal, attempt.signal])
      try {
        const options = { lastEventId, signal: either, onReconnect }
        for await (const event of open(options)) {
          if (state !== 'live') setState('live')
          receive(event)
          send({ kind: 'event', event })
        }
      } catch {
        setState('ended')
        await aborted(either, afterRefusalMs)
      }
    }
    isLeader = false
  }

  const stops = [
    environment.onOnline(() => {
      if (!isLeader || state === 'live') return
      setState('reconnecting')
      attempt?.abort()
    }),
    environment.onOffline(() => setState('offline')),
    () => channel.close(),
  ]
  if (navigator.locks) {
    navigator.locks.request(name, { signal: ended.signal }, () => lead(ended.signal)).catch(() => {})
  } else {
    let visible: AbortController | undefined
    stops.push(
      environment.onVisibility(isVisible => {
        if (isVisible && !visible) {
          visible = new AbortController()
          void lead(AbortSignal.any([ended.signal, visible.signal]))
        } else if (!isVisible) {
          visible?.abort()
          visible = undefined
        }
      }),
    )
  }
  send({ kind: 'where' })
  return () => {
    ended.abort()
    for (const stop of stops) stop()
  }
}

/** Whether the server refused a stream because the person has too many of them open. */
function isTooMany(reason: unknown): boolean {
  return reason instanceof CallError && reason.body.errorCode === 'TOO_MANY_STREAMS'
}

/** Resolves when the signal is aborted, or after this time. */
function aborted(signal: AbortSignal, ms: number): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => {
    const timer = setTimeout(resolve, ms)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    signal.addEventListener('abort', end, { once: true })
  })
}
