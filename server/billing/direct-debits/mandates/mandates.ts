import {
  cancelMandate,
  createMandate,
  listMandates as listMandatesContract,
  type Mandate,
} from '#contract/billing/direct-debits.ts'
import { now } from '#platform/clock.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import { lockNamedClient } from '#server/crm/index.ts'
import { ibanOf, refuse } from '../account.rules.ts'
import { lockCreditor } from '../creditor.sql.ts'
import {
  findMandate,
  insertMandate,
  isInPreparedRemittance,
  listMandates,
  type MandateRow,
  readMandate,
  setMandateCancelled,
} from './mandate.sql.ts'
import { encryptIban } from './mandate-account.ts'

export const list = query(listMandatesContract, async ({ db, query }) => {
  const { limit, offset } = pageOf(query)
  const { clientId } = query
  const { rows, total } = await listMandates(db, clientId, { limit, offset })
  return { items: rows.map(showMandate), total, limit, offset }
})

/** Registers a signed mandate (SDD-3). */
export const create = command(createMandate, async ({ tx, caller, body, services, audit }) => {
  const iban = ibanOf(body.iban)
  if (body.signedOn > now().toISOString().slice(0, 10)) refuse('signedOn', 'is in the future')
  await lockNamedClient(tx, body.clientId, 'clientId')
  const id = newId()
  const { clientId, reference, debtorName, bic = null, scheme, kind, signedOn } = body
  const isNew = await insertMandate(tx, {
    id,
    clientId,
    reference,
    debtorName,
    iban: encryptIban(services.cipher, tx.organizationId, id, iban),
    ibanCountry: iban.slice(0, 2),
    ibanEnd: iban.slice(-4),
    bic,
    scheme,
    kind,
    signedOn,
    createdBy: caller.personId,
  })
  if (!isNew) fail('MANDATE_REFERENCE_TAKEN')
  audit(id, ['reference', 'clientId'])
  return showMandate(await readMandate(tx, id))
})

/** Cancels a mandate (SDD-5). */
export const cancel = command(cancelMandate, async ({ tx, params: { id }, audit }) => {
  await lockCreditor(tx)
  const mandate = (await findMandate(tx, id)) ?? fail('MANDATE_NOT_FOUND')
  const changes = mandate.status !== 'CANCELLED'
  audit(id, changes ? ['status'] : [])
  if (!changes) return showMandate(mandate)
  if (await isInPreparedRemittance(tx, id)) fail('MANDATE_IN_USE')
  await setMandateCancelled(tx, id)
  return showMandate(await readMandate(tx, id))
})

function showMandate(mandate: MandateRow): Mandate {
  return {
    id: mandate.id,
    reference: mandate.reference,
    clientId: mandate.client_id,
    clientName: mandate.client_name,
    debtorName: mandate.debtor_name,
    maskedIban: mandate.erased_at === null ? `${mandate.iban_country}••••${mandate.iban_end}` : '',
    bic: mandate.bic,
    scheme: mandate.scheme,
    kind: mandate.kind,
    signedOn: mandate.signed_on,
    status: mandate.status,
    createdAt: mandate.created_at,
    cancelledAt: mandate.cancelled_at,
    erasedAt: mandate.erased_at,
  }
}
