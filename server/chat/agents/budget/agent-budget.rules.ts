/** True when more was spent than may be; without a cap never. */
export function isOver(spentMicros: number, capMicros: number | null): capMicros is number {
  return capMicros !== null && spentMicros > capMicros
}

/** An application is told once a month that it spent too much, and again only of a higher cap. */
export function isNews(capMicros: number, toldMicros: number | null): boolean {
  return toldMicros === null || capMicros > toldMicros
}
