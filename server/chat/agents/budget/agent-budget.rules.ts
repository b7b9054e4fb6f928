/** True when more was spent than may be; without a cap never. */
export function exceedsCap(spentMicros: number, capMicros: number | null): capMicros is number {
  return capMicros !== null && spentMicros > capMicros
}

/** An application is told once a month that it spent too much, and again only of a higher cap. */
export function isHigherThanReported(capMicros: number, reportedMicros: number | null): boolean {
  return reportedMicros === null || capMicros > reportedMicros
}
