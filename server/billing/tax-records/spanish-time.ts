import { lookUp } from '#platform/required.ts'

const parts = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'Europe/Madrid',
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZoneName: 'longOffset',
})

/** A moment in Spain to the second: `2026-07-01T14:05:09+02:00`. `moment` is ISO 8601. */
export function spanishTime(moment: string): string {
  const found = new Map(parts.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]))
  const part = (name: Intl.DateTimeFormatPartTypes) => lookUp(found, name)
  const offset = part('timeZoneName').slice('GMT'.length)
  const day = `${part('year')}-${part('month')}-${part('day')}`
  return `${day}T${part('hour')}:${part('minute')}:${part('second')}${offset}`
}
