import { onSignOut } from './tabs.ts'

type Position = { id: string; at: number }

const storageKey = 'patio.stream-positions'
/** After a longer time, reading the screen anew costs less than all that happened meanwhile. */
const usefulMs = 600_000

/**
 * Where this browser left a stream a short while ago; undefined if it did not. A page that opens its stream there
 * misses nothing that happened around its first reads, so it need not read twice.
 */
export function recentPosition(stream: string, now = Date.now()): string | undefined {
  const position = read()[stream]
  return position && now - position.at < usefulMs ? position.id : undefined
}

/** Keeps the id of the last event of a stream. It says nothing about the event. */
export function keepPosition(stream: string, id: string, now = Date.now()): void {
  const useful = Object.entries(read()).filter(([, { at }]) => now - at < usefulMs)
  localStorage.setItem(
    storageKey,
    JSON.stringify({ ...Object.fromEntries(useful), [stream]: { id, at: now } }),
  )
}

onSignOut(() => localStorage.removeItem(storageKey))

function read(): Record<string, Position> {
  try {
    return JSON.parse(localStorage.getItem(storageKey) ?? '{}') as Record<string, Position>
  } catch {
    return {}
  }
}
