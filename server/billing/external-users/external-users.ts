import {
  type ExternalUser,
  eraseExternalUser,
  listExternalUsers,
  putExternalUser,
  readExternalUser,
} from '#contract/billing/external-users.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { lockNamedClient } from '#server/crm/index.ts'
import { applicationFor } from '#server/integrations/index.ts'
import { eraseAddresses } from '../privacy/sending-privacy.sql.ts'
import { changedUserFields } from './external-user.rules.ts'
import {
  type ExternalUserRow,
  findUser,
  listUsers,
  lockUser,
  lockUserCreation,
  upsertUser,
} from './external-user.sql.ts'

export const list = query(listExternalUsers, async ({ db, params, query }) => {
  const { limit, offset } = pageOf(query)
  await applicationFor(db, params.applicationId)
  const { rows, total } = await listUsers(db, params.applicationId, { limit, offset })
  return { items: rows.map(showExternalUser), total, limit, offset }
})

export const read = query(readExternalUser, async ({ db, params: { applicationId, userId } }) => {
  await applicationFor(db, applicationId)
  return showExternalUser((await findUser(db, applicationId, userId)) ?? fail('EXTERNAL_USER_NOT_FOUND'))
})

export const put = command(putExternalUser, async ({ tx, params, body, audit }) => {
  const { applicationId, userId } = params
  await applicationFor(tx, applicationId)
  await lockUserCreation(tx)
  const before = await lockUser(tx, applicationId, userId)
  const { clientId, name = before?.name ?? null, email = before?.email ?? null } = body
  if (clientId !== before?.client_id) await lockNamedClient(tx, clientId, 'clientId')
  const after = {
    application_id: applicationId,
    external_id: userId,
    client_id: clientId,
    name: name?.trim() ?? null,
    email,
  }
  const changed = changedUserFields(before, after)
  audit(`${applicationId}/${userId}`, changed)
  if (before && changed.length === 0) return showExternalUser(before)
  return showExternalUser(await upsertUser(tx, after))
})

/** Invoices stay: they are not only the user's. */
export const erase = command(eraseExternalUser, async ({ tx, params, audit }) => {
  const { applicationId, userId } = params
  await applicationFor(tx, applicationId)
  const before = (await lockUser(tx, applicationId, userId)) ?? fail('EXTERNAL_USER_NOT_FOUND')
  const after = { ...before, name: null, email: null }
  const changed = changedUserFields(before, after)
  audit(`${applicationId}/${userId}`, changed)
  if (before.email !== null) await eraseAddresses(tx, { applicationId, userId }, [before.email])
  return showExternalUser(changed.length === 0 ? before : await upsertUser(tx, after))
})

function showExternalUser(row: ExternalUserRow): ExternalUser {
  return {
    applicationId: row.application_id,
    userId: row.external_id,
    clientId: row.client_id,
    clientName: row.client_name,
    name: row.name,
    email: row.email,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}
