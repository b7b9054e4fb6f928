import { msOf } from '#platform/clock.ts'
import { firstId } from '#platform/ids.ts'

const lastMs = 36 ** 8 - 1
/** After every id. */
const end = '~'

/** The ids of deliveries written in a period: ids are in the order of time. */
export type IdRange = { from: string; to: string }

export function idRangeBetween(since: string | undefined, until: string | undefined): IdRange {
  return {
    from: since === undefined ? '' : firstIdAt(since),
    to: until === undefined ? end : firstIdAt(until),
  }
}

function firstIdAt(time: string): string {
  return firstId(Math.min(Math.max(msOf(time), 0), lastMs))
}

/** The time when an id was created. */
export function timeOfId(id: string): string {
  return new Date(Number.parseInt(id.slice(1, 9), 36)).toISOString()
}
