/** Messages between the tabs of this browser. */
type TabMessage = { kind: 'signed-out' } | { kind: 'preferences'; preferences: unknown }

const channel = new BroadcastChannel('patio')

export function broadcastSignOut(): void {
  send({ kind: 'signed-out' })
}

export function onSignOut(listener: () => void): () => void {
  return onMessage('signed-out', listener)
}

function send(message: TabMessage): void {
  channel.postMessage(message)
}

function onMessage<Kind extends TabMessage['kind']>(
  kind: Kind,
  listener: (message: Extract<TabMessage, { kind: Kind }>) => void,
): () => void {
  const receive = ({ data }: MessageEvent<TabMessage>) => {
    if (data.kind === kind) listener(data as Extract<TabMessage, { kind: Kind }>)
  }
  channel.addEventListener('message', receive)
  return () => channel.removeEventListener('message', receive)
}
