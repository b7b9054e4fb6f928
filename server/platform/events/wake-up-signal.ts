/** Wakes one sleeper. A ring while nobody sleeps is kept for the next wait. */
export type WakeUpSignal = {
  ring(): void
  /** Until the next ring, or at most `ms`. */
  wait(ms: number): Promise<void>
  /** For `ms`, whatever rings. */
  rest(ms: number): Promise<void>
  /** Ends every wait and rest, now and later. */
  stop(): void
}

export function openWakeUpSignal(): WakeUpSignal {
  let hasRung = false
  let isStopped = false
  let wake: (() => void) | undefined
  let hearsRing = false

  function pause(ms: number, hears: boolean): Promise<void> {
    if (isStopped || (hears && hasRung)) {
      hasRung = false
      return Promise.resolve()
    }
    return new Promise(resolve => {
      const timer = setTimeout(done, ms)
      function done(): void {
        clearTimeout(timer)
        wake = undefined
        if (hears) hasRung = false
        resolve()
      }
      hearsRing = hears
      wake = done
    })
  }

  return {
    ring() {
      hasRung = true
      if (hearsRing) wake?.()
    },
    wait: ms => pause(ms, true),
    rest: ms => pause(ms, false),
    stop() {
      isStopped = true
      wake?.()
    },
  }
}
