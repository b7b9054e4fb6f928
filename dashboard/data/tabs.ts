import { useEffect } from 'react'

/** Messages between the tabs of this browser. */
type TabMessage = { kind: 'signed-out' } | { kind: 'preferences'; preferences: unknown }

const channel = new BroadcastChannel('patio')
const own = new EventTarget()

/** Tells all tabs, this one too, that nobody is signed in any more. */
export function broadcastSignOut(): void {
  own.dispatchEvent(new MessageEvent('message', { data: { kind: 'signed-out' } satisfies TabMessage }))
  send({ kind: 'signed-out' })
}

/** Calls the listener when the person signs out, in this tab or another one. */
export function onSignOut(listener: () => void): () => void {
  const stop = onMessage(own, 'signed-out', listener)
  const stopOthers = onMessage(channel, 'signed-out', listener)
  return () => {
    stop()
    stopOthers()
  }
}

/** Leaves the screens when the person signs out in another tab; a new page keeps nothing in memory. */
export function useSignOutOfOtherTabs(): void {
  useEffect(() => onMessage(channel, 'signed-out', () => location.assign('/sign-in')), [])
}

/** Shows the other tabs the preferences that the person chose in this one. */
export function broadcastPreferences(preferences: unknown): void {
  send({ kind: 'preferences', preferences })
}

export function onPreferences(listener: (preferences: unknown) => void): () => void {
  return onMessage(channel, 'preferences', ({ preferences }) => listener(preferences))
}

function send(message: TabMessage): void {
  channel.postMessage(message)
}

function onMessage<Kind extends TabMessage['kind']>(
  source: EventTarget,
  kind: Kind,
  listener: (message: Extract<TabMessage, { kind: Kind }>) => void,
): () => void {
  const receive = (event: Event) => {
    const { data } = event as MessageEvent<TabMessage>
    if (data.kind === kind) listener(data as Extract<TabMessage, { kind: Kind }>)
  }
  source.addEventListener('message', receive)
  return () => source.removeEventListener('message', receive)
}
