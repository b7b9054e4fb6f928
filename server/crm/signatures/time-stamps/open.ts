import { openTimeStamp } from '#contract/crm/time-stamps.ts'
import { fail } from '#platform/fail.ts'
import { stream } from '#platform/http/operation.ts'
import { signatureFor } from '../signature.access.ts'
import { timeStampCovering } from './time-stamp.sql.ts'

/** Downloads the reply of the authority (TSP-5). */
export const openReply = stream(openTimeStamp, async ({ db, params, reply }) => {
  const { number } = await signatureFor(db, params.budgetId, params.sigId)
  const timeStamp = (await timeStampCovering(db, number)) ?? fail('TIME_STAMP_NOT_FOUND')
  return reply
    .type('application/octet-stream')
    .header('content-disposition', `attachment; filename="${timeStamp.evidence_hash}.tsr"`)
    .send(timeStamp.reply)
})
