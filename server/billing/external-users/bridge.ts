import type { Static } from 'typebox'
import type { BilledUser } from '#contract/billing/invoice.ts'
import type { Tx } from '#platform/data/database.ts'
import { fail } from '#platform/fail.ts'
import { fillMissingClientFields, findOrCreateClient } from '#server/crm/index.ts'
import { changedFields } from './external-user.rules.ts'
import { type ExternalUserRow, lockUser, putUser, takeTurn } from './external-user.sql.ts'

type Given = Static<typeof BilledUser>

/**
 * The user of an application whom an invoice is for. One who is not known is made so with what is given, for a client that
 * is found or made; of one who is, name and e-mail are brought up to date, and the client is told what it lacks: what
 * stands there was written by people. Refuses EXTERNAL_USER_NOT_FOUND and CLIENT_ARCHIVED.
 */
export async function userFor(
  tx: Tx,
  applicationId: string,
  userId: string,
  given: Given | undefined,
): Promise<ExternalUserRow> {
  const known = await lockUser(tx, applicationId, userId)
  if (known) return given ? updated(tx, known, given) : known
  if (!given) fail('EXTERNAL_USER_NOT_FOUND')
  await takeTurn(tx)
  const meanwhile = await lockUser(tx, applicationId, userId)
  if (meanwhile) return updated(tx, meanwhile, given)
  const client = await findOrCreateClient(tx, { ...given, name: given.company ?? given.name })
  return putUser(tx, {
    application_id: applicationId,
    external_id: userId,
    client_id: client.id,
    name: given.name.trim(),
    email: given.email ?? null,
  })
}

async function updated(tx: Tx, known: ExternalUserRow, given: Given): Promise<ExternalUserRow> {
  const { name, company: _company, ...facts } = given
  await fillMissingClientFields(tx, known.client_id, facts)
  const after = { ...known, name: name.trim(), email: given.email === undefined ? known.email : given.email }
  return changedFields(known, after).length === 0 ? known : putUser(tx, after)
}
