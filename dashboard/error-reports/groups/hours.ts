import type { HourBar } from '../../charts/hour-bars.tsx'

const hourMs = 3_600_000

/** One bar for each of the last hours, the present one last; hours that the server leaves out have no counts. */
export function hourBarsOf<Counts extends { hour: string }>(
  hours: readonly Counts[],
  {
    now,
    count,
    labelOf,
    valuesOf,
  }: {
    now: number
    count: number
    labelOf: (time: number) => string
    valuesOf: (hour: Counts) => Readonly<Record<string, number>>
  },
): HourBar[] {
  const byHour = new Map(hours.map(hour => [Date.parse(hour.hour), hour]))
  const last = Math.floor(now / hourMs) * hourMs
  return Array.from({ length: count }, (_, at) => {
    const time = last - (count - 1 - at) * hourMs
    const hour = byHour.get(time)
    return { id: String(time), label: labelOf(time), values: hour ? valuesOf(hour) : {} }
  })
}

/** The counts of the last hours as a line. */
export function sparkValuesOf(hours: readonly { hour: string; count: number }[], now: number, count = 24) {
  const bars = hourBarsOf(hours, {
    now,
    count,
    labelOf: () => '',
    valuesOf: ({ count: occurrences }) => ({ occurrences }),
  })
  return bars.map(({ values }) => values.occurrences ?? 0)
}
