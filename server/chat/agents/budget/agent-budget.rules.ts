/** Without a cap, always false. */
export function exceedsCap(spentMicros: number, capMicros: number | null): capMicros is number {
  return capMicros !== null && spentMicros > capMicros
}

/** An application is notified of an exceeded cap once a month, and again only of a higher cap. */
export function isHigherThanNotified(capMicros: number, notifiedMicros: number | null): boolean {
  return notifiedMicros === null || capMicros > notifiedMicros
}
