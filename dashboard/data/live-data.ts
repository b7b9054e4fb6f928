import { useEffect } from 'react'
import { openPeopleStream } from '#contract/identity/stream.ts'
import { openStream, type StreamEvent } from '#sdk/stream.ts'
import { isLive, setConnection } from './connection.ts'
import { notifyFrameListeners } from './frame-listeners.ts'
import { queryClient } from './query-client.ts'
import { clientOf } from './session.ts'
import { shareStream } from './stream.ts'
import { keepPosition, positionOf } from './stream-position.ts'

// what the frames mean is not needed for the first screen
const loadFrames = () => import('./frames.ts')

/**
 * Keeps what the screens show up to date with the changes of others (DSH-14): one stream for all tabs of the
 * browser, and for each of its frames the reads that it makes stale. Shows nothing; its script may come after the first
 * screen, because the stream begins where the first session token was made.
 */
export function LiveData({ personId, organizationId }: { personId: string; organizationId: string }): null {
  useEffect(() => {
    const name = `patio:${personId}:${organizationId}`
    let hasConnected = false
    function onEvent(event: StreamEvent): void {
      if (event.id !== undefined) keepPosition(organizationId, event.id)
      if (event.event === 'connected') reloadOnce()
      else {
        notifyFrameListeners(organizationId, event)
        void loadFrames().then(({ applyFrame }) => applyFrame(organizationId, event))
      }
    }
    // what a tab read before another one handed it the events of the stream may have changed in between
    function reloadOnce(): void {
      if (hasConnected) return
      hasConnected = true
      reload()
    }
    function reload(): void {
      void queryClient.invalidateQueries({ queryKey: [organizationId] })
      notifyFrameListeners(organizationId, { event: 'resync', data: {} })
    }
    // without the stream, a person who comes back to the window sees what has changed since
    const reloadUnlessLive = () => {
      if (!isLive()) reload()
    }
    const close = shareStream({
      name,
      position: positionOf(organizationId),
      open: ({ lastEventId, signal, onReconnect }) => {
        // what happened since then arrives as events: nothing that was read before is out of date unnoticed
        if (lastEventId !== undefined) hasConnected = true
        return openStream(clientOf(organizationId), openPeopleStream, {
          signal,
          onReconnect,
          ...(lastEventId !== undefined && { lastEventId }),
        })
      },
      onEvent,
      onState: state => {
        setConnection(state)
        if (state === 'live') reloadOnce()
        // the server ends the streams of people who may not have them any more
        if (state === 'ended')
          void loadFrames().then(({ readAccessAgain }) => readAccessAgain(organizationId))
      },
      environment,
    })
    window.addEventListener('focus', reloadUnlessLive)
    return () => {
      window.removeEventListener('focus', reloadUnlessLive)
      close()
    }
  }, [personId, organizationId])
  useEffect(readHiddenAgain, [])
  return null
}

/** Reads what became stale while the tab was hidden, once it is shown. */
function readHiddenAgain(): () => void {
  const onShown = () => {
    if (document.visibilityState === 'visible')
      void queryClient.refetchQueries({ type: 'active', stale: true })
  }
  document.addEventListener('visibilitychange', onShown)
  return () => document.removeEventListener('visibilitychange', onShown)
}

const environment = {
  onOnline: (listener: () => void) => listenTo('online', listener),
  onOffline: (listener: () => void) => listenTo('offline', listener),
  onVisibility(listener: (isVisible: boolean) => void): () => void {
    const onChange = () => listener(document.visibilityState === 'visible')
    onChange()
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  },
}

function listenTo(name: 'online' | 'offline', listener: () => void): () => void {
  window.addEventListener(name, listener)
  return () => window.removeEventListener(name, listener)
}
