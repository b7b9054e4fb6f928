import { type AccessLevel, type Asset, accessLevels } from '#contract/studio/assets.ts'
import { studioLimits } from '#contract/studio/limits.ts'

const rankOf = (level: AccessLevel) => accessLevels.indexOf(level)

/** The levels that a person can grant: none above their own (SHR-4). */
export function offeredLevels(own: AccessLevel): AccessLevel[] {
  return accessLevels.filter(level => rankOf(level) <= rankOf(own))
}

/** Whether a person can change or revoke a share of this level. */
export function canChangeShare(own: AccessLevel, level: AccessLevel): boolean {
  return rankOf(own) >= rankOf('EDIT') && rankOf(level) <= rankOf(own)
}

/** One reason for which people have access to an asset, the strongest first. */
export type Reader =
  | { why: 'author'; name: string; level: AccessLevel }
  | { why: 'administrators'; level: AccessLevel }
  | { why: 'departments'; names: readonly string[]; level: AccessLevel }
  | { why: 'workspaces' | 'everyone' | 'nobody'; level: AccessLevel }

/** The people with access without a share: the author, the administrators, and those of the visibility (ACL-1). */
export function readersOf(
  { author, visibility, departments }: Pick<Asset, 'author' | 'visibility' | 'departments'>,
  departmentNames: ReadonlyMap<string, string>,
): Reader[] {
  const readers: Reader[] = [
    { why: 'author', name: author.name, level: 'ADMIN' },
    { why: 'administrators', level: 'ADMIN' },
  ]
  const level = 'READ'
  if (visibility === 'PRIVATE') return [...readers, { why: 'nobody', level }]
  if (visibility === 'WORKSPACE') return [...readers, { why: 'workspaces', level }]
  if (visibility !== 'DEPARTMENT') return [...readers, { why: 'everyone', level }]
  const names = departments.flatMap(id => departmentNames.get(id) ?? [])
  return [...readers, { why: 'departments', names, level }]
}

const dayMs = 86_400_000

/** The last day on which a share may end, as a date field has it. */
export function lastDay(now: number): string {
  return new Date(now + (studioLimits.shareDays - 1) * dayMs).toISOString().slice(0, 10)
}

/** The moment at which a share ends: at the end of a day, in the time zone of the person. */
export function endOfDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(new Date(year, month - 1, date + 1).getTime() - 1).toISOString()
}

/** A day so many days ahead, as a date field has it, in the time zone of the person. */
export function dayAhead(now: number, days: number): string {
  const day = new Date(now + days * dayMs)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`
}
