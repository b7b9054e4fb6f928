import type { ErrorSeverity } from '#contract/error-reports/errors.ts'
import { limits } from '#contract/limits.ts'
import { overflowFingerprint } from '../fingerprint/fingerprint.ts'
import type { HourRow } from './intake.sql.ts'
import type { Told } from './sample.ts'

/** A report as it waits to be written: classified, scrubbed and with its fingerprint. */
export type Report = {
  readonly applicationId: string
  readonly hash: string
  readonly message: string
  readonly module: string
  readonly severity: ErrorSeverity
  readonly file: string | null
  readonly line: number | null
  readonly function: string | null
  readonly endpoint: string | null
  readonly method: string | null
  readonly occurrences: number
  readonly arrivedAtMs: number
  /** Stands for the user whom it concerns; who that is is not kept. */
  readonly userDigest: string | undefined
  /** What a sample is made of: scrubbed when it becomes one, and never kept as it is. */
  readonly told: Told
}

/** All reports of one error in a flush, as they arrived. */
export type Bundle = {
  /** What keyOf makes of it. */
  readonly key: string
  readonly applicationId: string
  readonly hash: string
  readonly isOverflow: boolean
  readonly reports: Report[]
}

export const keyOf = ({ applicationId, hash }: { applicationId: string; hash: string }) =>
  `${applicationId}/${hash}`

/** By application and hash, in the order in which everybody locks them. */
export function bundled(reports: readonly Report[]): Bundle[] {
  const bundles = new Map<string, Bundle>()
  for (const report of reports) {
    const key = keyOf(report)
    const bundle = bundles.get(key)
    if (bundle) bundle.reports.push(report)
    else
      bundles.set(key, {
        key,
        applicationId: report.applicationId,
        hash: report.hash,
        isOverflow: false,
        reports: [report],
      })
  }
  return inOrder(bundles)
}

function inOrder(bundles: ReadonlyMap<string, Bundle>): Bundle[] {
  return [...bundles].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, bundle]) => bundle)
}

/** The module of the errors that have no group of their module any more. */
const severalModules = '(several)'

/**
 * Errors that are new beyond what an hour may bring go into one group of their module, and beyond a number of those into
 * one of the application. `isThere` knows the groups, `hours` what the running hour has brought already.
 */
export function fitting(
  bundles: readonly Bundle[],
  isThere: (bundle: Bundle) => boolean,
  hours: readonly HourRow[],
): Bundle[] {
  const fit = new Map<string, Bundle>()
  const left = new Map<string, { errors: number; overflows: number }>()
  for (const bundle of bundles) {
    const { applicationId, reports } = bundle
    const room = left.get(applicationId) ?? roomOf(applicationId, hours)
    left.set(applicationId, room)
    if (isThere(bundle) || room.errors-- > 0) {
      fit.set(bundle.key, bundle)
      continue
    }
    const module = room.overflows > 0 ? reports[0]!.module : severalModules
    const place = { applicationId, hash: overflowFingerprint(module) }
    const key = keyOf(place)
    const other = fit.get(key)
    if (other) other.reports.push(...reports)
    else {
      room.overflows--
      fit.set(key, { ...place, key, isOverflow: true, reports: [...reports] })
    }
  }
  return inOrder(fit)
}

function roomOf(applicationId: string, hours: readonly HourRow[]) {
  const hour = hours.find(({ application_id }) => application_id === applicationId)
  return {
    errors: limits.newErrorsPerHour - (hour?.new_errors ?? 0),
    overflows: limits.overflowsPerHour - (hour?.overflows ?? 0),
  }
}
