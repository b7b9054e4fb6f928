import type { ErrorSeverity } from '#contract/error-reports/errors.ts'
import { limits } from '#contract/limits.ts'
import { firstOf } from '#platform/required.ts'
import { computeOverflowFingerprint } from '../fingerprint/fingerprint.ts'
import type { HourRow } from './intake.sql.ts'
import type { ReportDetails } from './sample.ts'

/** A report in the queue: classified, scrubbed and fingerprinted. */
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
  /** Digest of the affected user. */
  readonly userDigest: string | undefined
  /** Unscrubbed details, which are scrubbed if the report becomes a sample and never stored as they are. */
  readonly details: ReportDetails
}

/** All reports of one error in a flush, in the order of arrival. */
export type ReportBundle = {
  /** See groupKeyOf. */
  readonly key: string
  readonly applicationId: string
  readonly hash: string
  readonly isOverflow: boolean
  readonly reports: PendingReport[]
}

export const groupKeyOf = ({ applicationId, hash }: { applicationId: string; hash: string }) =>
  `${applicationId}/${hash}`

/** Groups reports by application and hash, sorted in the order in which all transactions lock groups. */
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
  return [...bundles].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, bundle]) => bundle)
}

/** The module of the overflow group of an application. */
const mixedModules = '(several)'

/**
 * Beyond the limit of new errors per hour, further new errors go into one overflow group per module, and beyond the limit
 * of overflow groups into one per application. `hours` are the counts of the current hour.
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
    const module = remaining.overflows > 0 ? firstOf(reports).module : mixedModules
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
