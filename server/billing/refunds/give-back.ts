import { isOfGateway } from '#platform/adapters/gateway.ts'
import { monotonicMs } from '#platform/clock.ts'
import { gatewayOf, type Till } from '../charges/till.ts'
import { lookAgain } from '../look-again.ts'
import { askFor } from './ask.ts'
import { importRefunds } from './import.ts'
import type { PartRow, RefundRow } from './refund.row.ts'
import { findPart, findRefund, partsOfRefund } from './refund.sql.ts'
import { record, settleRefund } from './settle.ts'

const patienceSeconds = 25

/** Asks the gateway for the parts of a refund that has just begun, and answers what is known of it at the end of that. */
export async function giveBack(till: Till, organizationId: string, id: string, partIds: string[]) {
  await Promise.all(partIds.map(partId => askOnce(till, { organizationId, id: partId })))
  return (await findRefund(till.database.of(organizationId), id))!
}

async function askOnce(till: Till, place: { organizationId: string; id: string }): Promise<void> {
  const { organizationId } = place
  const part = (await findPart(till.database.of(organizationId), place.id))!
  const gateway = await gatewayOf(till, organizationId, part.gateway_account_id)
  const answer = await askFor(gateway, organizationId, part)
  // a refund that was just made is as it was answered
  if (answer && 'refund' in answer) return record(till, place, answer)
  await settleRefund(till, place, { ...(answer && { refusal: answer.refusal }) })
  if (answer) await lookElsewhere(till, organizationId, part)
}

/** Somebody may have given back there what was to be given back here. What is not found now is when the gateway tells of it. */
async function lookElsewhere(till: Till, organizationId: string, part: PartRow): Promise<void> {
  const account = { organizationId, accountId: part.gateway_account_id }
  await importRefunds(till, account, part.intent_id).catch((error: unknown) => {
    if (!isOfGateway(error)) throw error
    till.log?.warn({ ...account, refundPartId: part.id, err: error }, 'the gateway did not list its refunds')
  })
}

/** What came of a refund that somebody else is at work on, or what is known after 25 seconds. */
export async function awaited(till: Till, organizationId: string, refund: RefundRow): Promise<RefundRow> {
  const db = till.database.of(organizationId)
  const giveUpAt = monotonicMs() + patienceSeconds * 1000
  const isRunning = (parts: PartRow[]) =>
    monotonicMs() < giveUpAt &&
    parts.some(({ state, age_seconds }) => state === 'SENT' && age_seconds < patienceSeconds)
  const look = () => partsOfRefund(db, refund.id)
  await lookAgain(await look(), isRunning, look)
  return (await findRefund(db, refund.id))!
}
