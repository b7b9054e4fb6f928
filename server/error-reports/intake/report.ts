import { reportError } from '#contract/error-reports/errors.ts'
import { monotonicMs } from '#platform/clock.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { runOnce } from '#platform/http/idempotency.ts'
import { workflow } from '#platform/http/operation.ts'
import { firstOf } from '#platform/required.ts'
import type { OutboxServices, Services } from '#platform/services.ts'
import { classify } from './classify.ts'
import { recordReports } from './flush.ts'
import { identify } from './identify.ts'
import { intakeOf } from './intake.ts'
import { trimReport } from './report-body.ts'
import type { PendingReport } from './report-bundle.ts'
import { userDigestOf } from './user-digest.ts'

const discardedReply = { success: true, hash: '', deduplicated: false }

/**
 * Classifies and rate-limits a report, removes secrets, computes the fingerprint and waits for the flush that writes it
 * (ERR-2, ERR-5, ERR-8). Discarded reports do not count against the limit (ERR-9).
 */
export const report = workflow(
  reportError,
  async ({ caller, body, services, idempotencyKey, setRateLimit }) => {
    const arrivedAtMs = monotonicMs()
    const { organizationId, sessionId: keyId } = caller
    const applicationId = caller.applicationId ?? fail('UNAUTHENTICATED')
    const intake = intakeOf(services)
    const reported = trimReport(body)
    const classification = classify(reported.severity ?? 'low', reported.context)
    if (classification.isDiscarded) {
      intake.dropped.count(organizationId, applicationId, 'discarded')
      return discardedReply
    }
    try {
      const quota = await intake.allowance.take(organizationId, keyId)
      if (quota) setRateLimit(quota)
    } catch (error) {
      if (error instanceof Refusal) intake.dropped.count(organizationId, applicationId, 'limited')
      throw error
    }
    const { userId, line = null, method = null, occurrences = 1 } = reported
    const secretNames = await intake.secretNames.of(organizationId)
    const { hash, message, module, file, function: name, endpoint } = identify(reported, secretNames)
    const { severity } = classification
    const pending: PendingReport = {
      applicationId,
      hash,
      message,
      module,
      severity,
      file,
      line,
      function: name,
      endpoint,
      method,
      occurrences,
      arrivedAtMs,
      userDigest: userId ? userDigestOf(applicationId, userId) : undefined,
      details: { ...reported, secretNames },
    }
    if (idempotencyKey !== undefined)
      return recordIdempotently(services, organizationId, pending, { key: idempotencyKey, body })
    return { success: true, ...(await intake.record(organizationId, pending)) }
  },
)

/** A report with an Idempotency-Key has its own transaction; a repetition gets the same reply and is not counted. */
async function recordIdempotently(
  { database, wakeUp, cipher }: OutboxServices & Pick<Services, 'cipher'>,
  organizationId: string,
  report: PendingReport,
  { key, body }: { key: string; body: unknown },
) {
  const idempotency = {
    caller: report.applicationId,
    operation: 'POST /errors/report',
    key,
    body,
    status: 200,
  }
  const reply = await database.transact(
    organizationId,
    tx =>
      runOnce(tx, cipher, idempotency, async () => ({
        success: true,
        ...firstOf(await recordReports(tx, [report])),
      })),
    recordEvents,
  )
  wakeUp?.changed()
  return reply
}
