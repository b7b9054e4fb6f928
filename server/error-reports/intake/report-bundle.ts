import type { ErrorSeverity } from '#contract/error-reports/errors.ts'
import { limits } from '#contract/limits.ts'
import { computeOverflowFingerprint } from '../fingerprint/fingerprint.ts'
import type { HourRow } from './intake.sql.ts'
import type { ReportDetails } from './sample.ts'

/** A report as it waits to be written: classified, scrubbed and with its fingerprint. */
export type PendingReport = {
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
  readonly details: ReportDetails
}

/** All reports of one error in a flush, as they arrived. */
export type ReportBundle = {
  /** What keyOf makes of it. */
  readonly key: string
  readonly applicationId: string
  readonly hash: string
  readonly isOverflow: boolean
  readonly reports: PendingReport[]
}

export const groupKeyOf = ({ applicationId, hash }: { applicationId: string; hash: string }) =>
  `${applicationId}/${hash}`

/** By application and hash, in the order in which everybody locks them. */
export function bundleReports(reports: readonly PendingReport[]): ReportBundle[] {
  const bundles = new Map<string, ReportBundle>()
  for (const report of reports) {
    const key = groupKeyOf(report)
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
  return sortedByKey(bundles)
}

function sortedByKey(bundles: ReadonlyMap<string, ReportBundle>): ReportBundle[] {
  return [...bundles].sort(([one], [existing]) => (one < existing ? -1 : 1)).map(([, bundle]) => bundle)
}

/** The module of the errors that have no group of their module any more. */
const mixedModules = '(several)'

/**
 * Errors that are new beyond what an hour may bring go into one group of their module, and beyond a number of those into
 * one of the application. `isThere` knows the groups, `hours` what the running hour has brought already.
 */
export function applyNewErrorLimits(
  bundles: readonly ReportBundle[],
  isKnown: (bundle: ReportBundle) => boolean,
  hours: readonly HourRow[],
): ReportBundle[] {
  const accepted = new Map<string, ReportBundle>()
  const remainingByApplication = new Map<string, { errors: number; overflows: number }>()
  for (const bundle of bundles) {
    const { applicationId, reports } = bundle
    const remaining = remainingByApplication.get(applicationId) ?? remainingInHour(applicationId, hours)
    remainingByApplication.set(applicationId, remaining)
    if (isKnown(bundle) || remaining.errors-- > 0) {
      accepted.set(bundle.key, bundle)
      continue
    }
    const module = remaining.overflows > 0 ? reports[0]!.module : mixedModules
    const target = { applicationId, hash: computeOverflowFingerprint(module) }
    const key = groupKeyOf(target)
    const existing = accepted.get(key)
    if (existing) existing.reports.push(...reports)
    else {
      remaining.overflows--
      accepted.set(key, { ...target, key, isOverflow: true, reports: [...reports] })
    }
  }
  return sortedByKey(accepted)
}

function remainingInHour(applicationId: string, hours: readonly HourRow[]) {
  const hour = hours.find(({ application_id }) => application_id === applicationId)
  return {
    errors: limits.newErrorsPerHour - (hour?.new_errors ?? 0),
    overflows: limits.overflowsPerHour - (hour?.overflows ?? 0),
  }
}
