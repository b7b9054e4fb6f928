import type { EntryStatus } from '#contract/marketplace/entries.ts'
import type { SubmissionDetail } from '#contract/marketplace/review-queue.ts'
import type { PlacedFinding, ReleasePart } from '../release/finding.rules.ts'
import { textPartsOf } from '../release/release.ts'

/** The finding after the current one; after the last one, the first. */
export function nextFinding(
  findings: readonly PlacedFinding[],
  current: string | undefined,
): PlacedFinding | undefined {
  const placed = findings.filter(({ part }) => part !== undefined)
  const at = placed.findIndex(({ id }) => id === current)
  return placed[(at + 1) % placed.length]
}

/** Whether a submission waits for a decision. */
export function isWaiting({ status }: { status: EntryStatus }): boolean {
  return status === 'PENDING' || status === 'UNDER_REVIEW'
}

/** The parts of a release that differ from the one that the operator read. */
export function partsChangedSince(read: SubmissionDetail, now: SubmissionDetail): ReleasePart[] {
  const former = new Map<string, string>([
    ...textPartsOf(read).map(({ part, text }) => [part, text] as const),
    ...read.files.map(({ path, sha256 }) => [`file:${path}`, sha256] as const),
  ])
  const current: [ReleasePart, string][] = [
    ...textPartsOf(now).map(({ part, text }): [ReleasePart, string] => [part, text]),
    ...now.files.map(({ path, sha256 }): [ReleasePart, string] => [`file:${path}`, sha256]),
  ]
  const names = new Set<string>(current.map(([part]) => part))
  return [
    ...current.filter(([part, content]) => former.get(part) !== content).map(([part]) => part),
    ...([...former.keys()] as ReleasePart[]).filter(part => !names.has(part)),
  ]
}

/** The end of a day in the zone of the browser, as the server wants it. */
export function endOfDay(day: string): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  return new Date(year, month - 1, date, 23, 59, 59).toISOString()
}

/** The day that begins this many days after a time, in the zone of the browser: `2026-12-24`. */
export function dayAfter(time: number, days: number): string {
  const date = new Date(time)
  date.setDate(date.getDate() + days)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
