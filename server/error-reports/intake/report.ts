import { reportError } from '#contract/error-reports/errors.ts'
import { monotonicMs } from '#platform/clock.ts'
import { recordEvents } from '#platform/events/audit.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { runOnce } from '#platform/http/idempotency.ts'
import { type Services, workflow } from '#platform/http/operation.ts'
import type { Report } from './bundle.ts'
import { classify } from './classify.ts'
import { userDigestOf } from './digest.ts'
import { recordReports } from './flush.ts'
import { identify } from './identify.ts'
import { intakeOf } from './intake.ts'
import { tidy } from './tidy.ts'

const discarded = { success: true, hash: '', deduplicated: false }

/**
 * Classifies a report, takes it from the limit, removes its secrets, makes the fingerprint, and waits for the flush that
 * writes it (ERR-2, ERR-5, ERR-8). A discarded report costs nothing (ERR-9).
 */
export const report = workflow(
  reportError,
  async ({ caller, body, services, idempotencyKey, setRateLimit }) => {
    const arrivedAtMs = monotonicMs()
    const { organizationId, sessionId: keyId } = caller
    const applicationId = caller.applicationId ?? fail('UNAUTHENTICATED')
    const intake = intakeOf(services)
    const said = tidy(body)
    const found = classify(said.severity ?? 'low', said.context)
    if (found.isDiscarded) {
      intake.dropped.count(organizationId, applicationId, 'discarded')
      return discarded
    }
    try {
      const quota = await intake.allowance.take(organizationId, keyId)
      if (quota) setRateLimit(quota)
    } catch (error) {
      if (error instanceof Refusal) intake.dropped.count(organizationId, applicationId, 'limited')
      throw error
    }
    const { userId, line = null, method = null, occurrences = 1 } = said
    const secretNames = await intake.secretNames.of(organizationId)
    const { hash, message, module, file, function: name, endpoint } = identify(said, secretNames)
    const { severity } = found
    const made: Report = {
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
      told: { ...said, secretNames },
    }
    if (idempotencyKey !== undefined)
      return recordedOnce(services, organizationId, made, { key: idempotencyKey, body })
    return { success: true, ...(await intake.record(organizationId, made)) }
  },
)

/** With an Idempotency-Key a report has a transaction of its own: sent again, it is answered as before and not counted. */
async function recordedOnce(
  { database, wakeUp, cipher }: Services,
  organizationId: string,
  report: Report,
  { key, body }: { key: string; body: unknown },
) {
  const place = { caller: report.applicationId, operation: 'POST /errors/report', key, body, status: 200 }
  const reply = await database.transact(
    organizationId,
    tx =>
      runOnce(tx, cipher, place, async () => ({ success: true, ...(await recordReports(tx, [report]))[0]! })),
    recordEvents,
  )
  wakeUp?.changed()
  return reply
}
