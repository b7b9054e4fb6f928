import { parsedAmount } from '../../parts/amount.ts'

/** The filters of payments, charges and refunds, as the address has them. */
export type MovementSearch<Status extends string = string> = {
  search?: string
  status?: Status
  currency?: string
  /** YYYY-MM */
  month?: string
  /** The row whose details are open. */
  open?: string
}

/** Reads the filters from the address; what is not valid is left out. */
export function movementSearchOf<Status extends string>(
  { search, status, currency, month, open }: Record<string, unknown>,
  statuses: readonly Status[],
): MovementSearch<Status> {
  const known = statuses.find(value => value === status)
  return {
    // the router reads digits as a number
    ...((typeof search === 'string' || typeof search === 'number') && { search: String(search) }),
    ...(known && { status: known }),
    ...(typeof currency === 'string' && /^[a-z]{3}$/.test(currency) && { currency }),
    ...(typeof month === 'string' && /^\d{4}-(0[1-9]|1[0-2])$/.test(month) && { month }),
    ...(typeof open === 'string' && { open }),
  }
}

/** The query that lists what fits the filters (PAY-10). A search needs two characters. */
export function movementQueryOf<Status extends string>({
  search = '',
  status,
  currency,
  month,
}: MovementSearch<Status>): {
  search?: string
  status?: Status
  currency?: string
  from?: string
  to?: string
} {
  return {
    ...(search.trim().length > 1 && { search: soughtText(search) }),
    ...(status && { status }),
    ...(currency && { currency }),
    ...(month && momentsOf(month)),
  }
}

/** An amount as people and banks write it, such as `1.536,70 €`, in cents; any other text as it is (PAY-12). */
export function soughtText(text: string): string {
  const typed = text.trim()
  const cents = /[.,]\d{2}\s*\p{Sc}?$/u.test(typed) ? parsedAmount(typed, 2) : undefined
  return cents === undefined ? typed : String(Math.abs(cents))
}

/** The first and the last moment of a month, in the zone of the browser. */
function momentsOf(month: string): { from: string; to: string } {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return {
    from: new Date(year, number - 1, 1).toISOString(),
    to: new Date(new Date(year, number, 1).getTime() - 1).toISOString(),
  }
}

/** The months up to that of a moment in milliseconds since 1970, the last first, as YYYY-MM. */
export function monthsUntil(time: number, count: number): string[] {
  const last = new Date(time)
  return Array.from({ length: count }, (_, back) => {
    const first = new Date(last.getFullYear(), last.getMonth() - back, 1)
    return `${first.getFullYear()}-${String(first.getMonth() + 1).padStart(2, '0')}`
  })
}
