import { deliveryStatuses } from '#contract/integrations/deliveries.ts'
import type { DeliveryStatus } from './delivery.ts'

const hourMs = 3_600_000
/** The spans of time up to now that the filter offers. */
export const spans = { '1h': hourMs, '6h': 6 * hourMs, '24h': 24 * hourMs, '7d': 7 * 24 * hourMs } as const
export type Span = keyof typeof spans

/** The filters of deliveries, as the address has them. */
export type DeliverySearch = {
  status?: DeliveryStatus
  event?: string
  application?: string
  /** A span up to now, or a day as YYYY-MM-DD. */
  time?: string
  /** The delivery whose details are open. */
  open?: string
}
export type DeliveryFilters = Omit<DeliverySearch, 'open'>

/** Reads the filters from the address; what is not valid is left out. */
export function deliverySearchOf({
  status,
  event,
  application,
  time,
  open,
}: Record<string, unknown>): DeliverySearch {
  const known = deliveryStatuses.find(one => one === status)
  return {
    ...(known && { status: known }),
    ...(typeof event === 'string' && /^[A-Z_]{1,100}$/.test(event) && { event }),
    ...(typeof application === 'string' && { application }),
    ...(typeof time === 'string' && isTime(time) && { time }),
    ...(typeof open === 'string' && { open }),
  }
}

function isTime(time: string): boolean {
  return time in spans || (/^\d{4}-\d{2}-\d{2}$/.test(time) && !Number.isNaN(Date.parse(time)))
}

/**
 * The range of a span or a day, in the zone of the browser. Spans begin at a whole minute, so that two reads within a
 * minute are the same.
 */
export function rangeOf(time: string | undefined, now: number): { since?: string; until?: string } {
  if (time === undefined) return {}
  if (time in spans) return { since: iso(Math.floor((now - spans[time as Span]) / 60_000) * 60_000) }
  const [year = 0, month = 1, day = 1] = time.split('-').map(Number)
  return {
    since: iso(new Date(year, month - 1, day).getTime()),
    until: iso(new Date(year, month - 1, day + 1).getTime()),
  }
}

/** The query that lists the deliveries that fit the filters. */
export function deliveryQueryOf({ status, event, time }: DeliveryFilters, now: number) {
  return { ...(status && { status }), ...(event && { event }), ...rangeOf(time, now) }
}

/** The last days, today first, as YYYY-MM-DD. */
export function lastDays(count: number, now: number): string[] {
  const last = new Date(now)
  return Array.from({ length: count }, (_, back) => {
    const day = new Date(last.getFullYear(), last.getMonth(), last.getDate() - back)
    return [day.getFullYear(), day.getMonth() + 1, day.getDate()]
      .map(part => String(part).padStart(2, '0'))
      .join('-')
  })
}

/** The next failed delivery after the open one, around the end of the list. */
export function nextFailed<Row extends { id: string; status: DeliveryStatus }>(
  rows: readonly Row[],
  open: string | undefined,
): Row | undefined {
  const at = rows.findIndex(({ id }) => id === open)
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(0, at))]
  return others.find(({ status }) => status === 'FAILED')
}

function iso(time: number): string {
  return new Date(time).toISOString()
}
