import type { Tx } from '#platform/data/db.ts'
import { forgetReplies } from '#platform/http/idempotency.ts'
import type { ErasedRecord, PersonalData, PersonOfClient } from '#platform/personal-data.ts'
import { lockCreditor } from '../direct-debits/creditor.sql.ts'
import { decryptIban } from '../direct-debits/mandates/mandate-account.ts'
import { debtorMandates, eraseMandates, lockMandateUse } from './mandate-privacy.sql.ts'
import { eraseAddresses } from './sending-privacy.sql.ts'

/** The mandates in the name of a person, and the addresses that invoices were sent to (ERAS-4, ERAS-8, ERAS-9). */
export const billingPersonalData: PersonalData = {
  async export(db, cipher, { clientId, isNamed }) {
    const mandates = await debtorMandates(db, clientId)
    return {
      mandates: mandates
        .filter(({ debtor_name }) => isNamed(debtor_name))
        .map(mandate => ({
          id: mandate.id,
          reference: mandate.reference,
          clientId: mandate.client_id,
          debtorName: mandate.debtor_name,
          iban: decryptIban(cipher, db.organizationId, mandate.id, mandate.iban),
          bic: mandate.bic,
          scheme: mandate.scheme,
          kind: mandate.kind,
          signedOn: mandate.signed_on,
          status: mandate.status,
          lastCollectedOn: mandate.last_collected_on,
          createdAt: mandate.created_at,
          cancelledAt: mandate.cancelled_at,
        })),
    }
  },
  async erase(tx, person) {
    const { clientId, addresses } = person
    if (addresses.length > 0) await eraseAddresses(tx, { clientId }, addresses)
    return { mandates: await eraseUnusedMandates(tx, person) }
  },
}

/** A used mandate stays, because it proves that the collections were allowed. */
async function eraseUnusedMandates(
  tx: Tx,
  { clientId, isNamed }: PersonOfClient,
): Promise<readonly ErasedRecord[]> {
  // no remittance is prepared with them meanwhile
  await lockCreditor(tx)
  const mandates = (await lockMandateUse(tx, clientId)).filter(({ debtor_name }) => isNamed(debtor_name))
  const unused = mandates.filter(({ use }) => use === null).map(({ id }) => id)
  if (unused.length > 0)
    await Promise.all([eraseMandates(tx, unused), ...unused.map(id => forgetReplies(tx, id))])
  return mandates.map(({ id, reference, use }) => ({ id, reference, retainedBecause: use }))
}
