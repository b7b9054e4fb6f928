/** Wakes one sleeper. A ring without a sleeper ends the next wait. */
export type WakeUpSignal = {
  ring(): void
  /** Waits for the next ring, or at most `ms`. */
  wait(ms: number): Promise<void>
  /** Waits `ms`, regardless of rings. */
  rest(ms: number): Promise<void>
  /** Ends every wait and rest, now and later. */
  stop(): void
}

export function openWakeUpSignal(): WakeUpSignal {
  let isPending = false
  let isStopped = false
  let wake: (() => void) | undefined
  let endsOnRing = false

  function pause(ms: number, isInterruptible: boolean): Promise<void> {
    if (isStopped || (isInterruptible && isPending)) {
      isPending = false
      return Promise.resolve()
    }
    return new Promise(resolve => {
      const timer = setTimeout(done, ms)
      function done(): void {
        clearTimeout(timer)
        wake = undefined
        if (isInterruptible) isPending = false
        resolve()
      }
      endsOnRing = isInterruptible
      wake = done
    })
  }

  return {
    ring() {
      isPending = true
      if (endsOnRing) wake?.()
    },
    wait: ms => pause(ms, true),
    rest: ms => pause(ms, false),
    stop() {
      isStopped = true
      wake?.()
    },
  }
}
