import type { Static } from 'typebox'
import type { BilledUser } from '#contract/billing/invoice.ts'
import type { Tx } from '#platform/data/db.ts'
import { fail } from '#platform/fail.ts'
import { fillMissingClientFields, findOrCreateClient } from '#server/crm/index.ts'
import { changedUserFields } from './external-user.rules.ts'
import { type ExternalUserRow, lockUser, lockUserCreation, upsertUser } from './external-user.sql.ts'

type BilledUserInput = Static<typeof BilledUser>

/**
 * The user whom an invoice is for. An unknown user is created with the given data, for a client that is found or
 * created. For a known user the name and e-mail are updated, and empty fields of the client are filled in; what
 * members wrote there stays. Refuses EXTERNAL_USER_NOT_FOUND and CLIENT_ARCHIVED.
 */
export async function findOrCreateUser(
  tx: Tx,
  applicationId: string,
  userId: string,
  input: BilledUserInput | undefined,
): Promise<ExternalUserRow> {
  const known = await lockUser(tx, applicationId, userId)
  if (known) return input ? updateUser(tx, known, input) : known
  if (!input) fail('EXTERNAL_USER_NOT_FOUND')
  await lockUserCreation(tx)
  const meanwhile = await lockUser(tx, applicationId, userId)
  if (meanwhile) return updateUser(tx, meanwhile, input)
  const client = await findOrCreateClient(tx, { ...input, name: input.company ?? input.name })
  return upsertUser(tx, {
    application_id: applicationId,
    external_id: userId,
    client_id: client.id,
    name: input.name.trim(),
    email: input.email ?? null,
  })
}

async function updateUser(tx: Tx, known: ExternalUserRow, input: BilledUserInput): Promise<ExternalUserRow> {
  const { name, company: _company, ...facts } = input
  await fillMissingClientFields(tx, known.client_id, facts)
  const after = { ...known, name: name.trim(), email: input.email === undefined ? known.email : input.email }
  return changedUserFields(known, after).length === 0 ? known : upsertUser(tx, after)
}
