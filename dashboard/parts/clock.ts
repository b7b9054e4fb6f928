import { useSyncExternalStore } from 'react'

const minuteMs = 60_000

/** The present moment in milliseconds since 1970. */
export function currentTime(): number {
  return performance.timeOrigin + performance.now()
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

function waitForNextMinute(): void {
  timer = setTimeout(
    () => {
      for (const listener of listeners) listener()
      waitForNextMinute()
    },
    minuteMs - (currentTime() % minuteMs),
  )
}

/** One timer serves every time on the page; it runs only while there is one. */
function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) waitForNextMinute()
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearTimeout(timer)
    timer = undefined
  }
}

/** The present minute in milliseconds since 1970; the component renders again when it changes. */
export function useMinute(): number {
  return useSyncExternalStore(subscribe, () => Math.floor(currentTime() / minuteMs) * minuteMs)
}
