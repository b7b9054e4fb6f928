import { afterEach, expect, it, vi } from 'vitest'
import { CallError } from '#sdk/client.ts'
import type { StreamEvent } from '#sdk/stream.ts'
import { hangsMs } from '#tests/support/crowd.ts'
import { itemAt } from '#tests/support/elements.ts'
import { type OpenStream, shareStream } from './stream.ts'

const environment = { onOnline: () => () => {}, onOffline: () => () => {}, onVisibility: () => () => {} }
const stops: (() => void)[] = []
afterEach(() => {
  for (const stop of stops.splice(0)) stop()
})

const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: hangsMs, interval: 5 })

/** A server with numbered events, which are sent again after `lastEventId`. */
function eventServer() {
  const sent: StreamEvent[] = []
  const wakeUps = new Set<() => void>()
  const connections: (string | undefined)[] = []
  const open: OpenStream = async function* ({ lastEventId, signal }) {
    connections.push(lastEventId)
    let position = Number(lastEventId ?? sent.length)
    yield { id: String(position), event: 'connected', data: {} }
    while (!signal.aborted) {
      while (position < sent.length && !signal.aborted) yield itemAt(sent, position++)
      await new Promise<void>(resolve => {
        wakeUps.add(resolve)
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    }
  }
  return {
    open,
    connections,
    send(name: string): void {
      sent.push({ id: String(sent.length + 1), event: name, data: {} })
      for (const wakeUp of wakeUps) wakeUp()
      wakeUps.clear()
    },
  }
}

function openTab(name: string, open: OpenStream, position?: string) {
  const received: string[] = []
  const states: string[] = []
  const stop = shareStream({
    name,
    open,
    position,
    environment,
    onEvent: ({ event }) => event !== 'connected' && received.push(event),
    onState: state => states.push(state),
  })
  stops.push(stop)
  return { received, states, close: stop }
}

it('six tabs share one stream', async () => {
  const server = eventServer()
  const tabs = Array.from({ length: 6 }, () => openTab('patio:p:six', server.open))
  await until(() => tabs.every(({ states }) => states.at(-1) === 'live'))
  server.send('a')
  await until(() => tabs.every(({ received }) => received.length === 1))
  expect(server.connections).toHaveLength(1)
})

it('when the leader closes, the next tab goes on after the last event, and nothing is missed', async () => {
  const server = eventServer()
  const leader = openTab('patio:p:next', server.open)
  await until(() => leader.states.at(-1) === 'live')
  const follower = openTab('patio:p:next', server.open)
  server.send('a')
  await until(() => follower.received.length === 1)
  leader.close()
  server.send('b')
  server.send('c')
  await until(() => follower.received.length === 3)
  expect(follower.received).toEqual(['a', 'b', 'c'])
  expect(server.connections).toEqual([undefined, '1'])
})

it('a tab that saw no event yet still goes on at the position of the leader', async () => {
  const server = eventServer()
  const leader = openTab('patio:p:quiet', server.open)
  await until(() => leader.states.at(-1) === 'live')
  const follower = openTab('patio:p:quiet', server.open)
  await until(() => follower.states.at(-1) === 'live')
  leader.close()
  server.send('a')
  await until(() => follower.received.length === 1)
  expect(server.connections).toEqual([undefined, '0'])
})

it('a page that knows a position goes on there, and receives what happened since', async () => {
  const server = eventServer()
  server.send('a')
  server.send('b')
  const tab = openTab('patio:p:known', server.open, '1')
  await until(() => tab.received.length === 1)
  expect(tab.received).toEqual(['b'])
  expect(server.connections).toEqual(['1'])
})

it('a refused stream ends, and the tab says so', async () => {
  const open: OpenStream = () => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('403')) }),
  })
  const tab = openTab('patio:p:refused', open)
  await until(() => tab.states.at(-1) === 'ended')
})

it('says when the person has too many streams open, in every tab, until one of them is free', async () => {
  const reason = new CallError({
    status: 429,
    headers: new Headers(),
    body: { errorCode: 'TOO_MANY_STREAMS' },
    text: '',
    bytes: new Uint8Array(),
  })
  const server = eventServer()
  let free = () => {}
  const isFree = new Promise<void>(resolve => {
    free = resolve
  })
  const open: OpenStream = async function* (options) {
    options.onReconnect(reason)
    await isFree
    yield* server.open(options)
  }
  const tabs = [openTab('patio:p:many', open), openTab('patio:p:many', open)]
  await until(() => tabs.every(({ states }) => states.at(-1) === 'tooMany'))
  free()
  await until(() => tabs.every(({ states }) => states.at(-1) === 'live'))
})
