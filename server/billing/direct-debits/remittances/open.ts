import { openRemittance } from '#contract/billing/direct-debits.ts'
import { pathAt } from '#contract/operation.ts'
import { recordOutbox } from '#platform/events/audit.ts'
import { fail } from '#platform/fail.ts'
import { stream } from '#platform/http/operation.ts'
import { lookUp } from '#platform/required.ts'
import { directDebitsOf } from '../direct-debit.sql.ts'
import { decryptIban } from '../mandates/mandate-account.ts'
import { pain008 } from './pain-008.ts'
import { debtorsOf, findRemittance } from './remittance.sql.ts'

const operation = `GET ${pathAt('session', openRemittance)}`

/** Sends the file of a remittance (SDD-7). The audit log records the caller before the first byte is sent. */
export const open = stream(openRemittance, async ({ db, caller, origin, services, params, reply }) => {
  const { organizationId } = caller
  const [remittance, debits, debtors] = await Promise.all([
    findRemittance(db, params.id),
    directDebitsOf(db, params.id),
    debtorsOf(db, params.id),
  ])
  if (!remittance) fail('REMITTANCE_NOT_FOUND')
  if (remittance.state === 'CANCELLED') fail('REMITTANCE_STATE_INVALID')
  const debtorOf = new Map(debtors.map(debtor => [debtor.id, debtor]))
  const collections = debits.map(debit => {
    const { debtor_name, bic, signed_on, iban, mandate_id } = lookUp(debtorOf, debit.id)
    const plainIban = decryptIban(services.cipher, organizationId, mandate_id, iban)
    return { ...debit, debtor_name, bic, signed_on, iban: plainIban }
  })
  await services.database.transact(
    organizationId,
    async () => {},
    tx => recordOutbox(tx, caller, origin, operation, { subject: params.id }),
  )
  services.wakeUp?.changed()
  return reply
    .type('application/xml')
    .headers({
      'Content-Disposition': `attachment; filename="remittance-${remittance.collection_date}-${remittance.id}.xml"`,
      'Cache-Control': 'private, no-store',
    })
    .send(Buffer.from(pain008(remittance, collections)))
})
