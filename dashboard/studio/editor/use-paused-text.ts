import { useEffect, useMemo, useRef } from 'react'

/** A pause in typing after which the rest of the screen follows. */
const pauseMs = 300

/**
 * Hands on the text of the editor when the person pauses: to read a long text after each key would hold up the typing.
 * `flush` hands it on at once, before the text is saved.
 */
export function usePausedText(onText: (text: string) => void): {
  change: (read: () => string) => void
  flush: () => void
} {
  const latest = useRef(onText)
  useEffect(() => {
    latest.current = onText
  })
  const waiting = useRef<{ timer: ReturnType<typeof setTimeout>; read: () => string }>(undefined)
  const paused = useMemo(() => {
    function flush(): void {
      const { current } = waiting
      if (!current) return
      clearTimeout(current.timer)
      waiting.current = undefined
      latest.current(current.read())
    }
    function change(read: () => string): void {
      if (waiting.current) clearTimeout(waiting.current.timer)
      waiting.current = { timer: setTimeout(flush, pauseMs), read }
    }
    return { change, flush }
  }, [])
  useEffect(() => {
    // before the draft is stored, which happens as the page goes
    window.addEventListener('pagehide', paused.flush, { capture: true })
    return () => {
      window.removeEventListener('pagehide', paused.flush, { capture: true })
      paused.flush()
    }
  }, [paused])
  return paused
}
