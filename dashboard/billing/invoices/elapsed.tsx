import { useEffect, useState } from 'react'
import { currentTime } from '../../parts/clock.ts'

/** How long something has been running, by the second: “14 s”, “2 min 5 s”. */
export function Elapsed({ since }: { since: string }) {
  const [now, setNow] = useState(currentTime)
  useEffect(() => {
    const timer = setInterval(() => setNow(currentTime()), 1_000)
    return () => clearInterval(timer)
  }, [])
  return <span role="timer">{elapsedText(now - Date.parse(since))}</span>
}

/** A duration as text; the clocks of server and browser may differ, so it is never below zero. */
function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000))
  const minutes = Math.floor(seconds / 60)
  return minutes === 0 ? `${seconds} s` : `${minutes} min ${seconds % 60} s`
}
