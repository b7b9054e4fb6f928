import * as contract from '#contract/crm/contacts.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { pageOf } from '#platform/http/pagination.ts'
import { newId } from '#platform/ids.ts'
import { endPortalSessions } from '../portal/portal.sql.ts'
import { lockReferences } from '../references.sql.ts'
import { phoneCountryOf } from '../settings/crm-settings.sql.ts'
import { searchPattern } from '../text-fields.ts'
import { contactFor, lockContact } from './contact.access.ts'
import { showContact } from './contact.json.ts'
import { assertNamed, blankContact, changedFields, withFields } from './contact.rules.ts'
import { insertContact, listContacts, setArchived, setContact } from './contact.sql.ts'

export const create = command(contract.createContact, async ({ tx, caller, body, audit, services }) => {
  const [phoneCountry] = await tx.inOrder(
    () => phoneCountryOf(tx),
    () => lockReferences(tx, body),
  )
  const context = { cipher: services.cipher, organizationId: caller.organizationId, phoneCountry }
  const draft = withFields(blankContact(newId()), body, context)
  assertNamed(draft)
  const contact = await insertContact(tx, draft)
  audit(contact.id, changedFields(null, contact))
  return showContact(contact)
})

export const list = query(contract.listContacts, async ({ db, query }) => {
  const { limit, offset } = pageOf(query)
  const { archived = false, clientId = null } = query
  const search = searchPattern(query.search)
  const { rows, total } = await listContacts(db, { archived, clientId, search }, { limit, offset })
  return { items: rows.map(showContact), total, limit, offset }
})

export const read = query(contract.readContact, async ({ db, params }) =>
  showContact(await contactFor(db, params.id)),
)

export const update = command(
  contract.updateContact,
  async ({ tx, caller, params, body, audit, services }) => {
    if (Object.keys(body).length === 0) fail('NOTHING_TO_CHANGE')
    const [before, phoneCountry] = await tx.inOrder(
      () => lockContact(tx, params.id),
      () => phoneCountryOf(tx),
    )
    if (before.archived_at !== null) fail('CONTACT_ARCHIVED')
    const context = { cipher: services.cipher, organizationId: caller.organizationId, phoneCountry }
    const after = withFields(before, body, context)
    assertNamed(after)
    if (after.client_id !== before.client_id) await lockReferences(tx, body)
    const changed = changedFields(before, after)
    audit(before.id, changed)
    // a session that was opened with the old address or for the old client must not remain
    if (after.email_hash !== before.email_hash || after.client_id !== before.client_id)
      await endPortalSessions(tx, before.id)
    return showContact(changed.length === 0 ? before : await setContact(tx, after))
  },
)

export const archive = archiving(contract.archiveContact, true)
export const unarchive = archiving(contract.unarchiveContact, false)

function archiving(endpoint: typeof contract.archiveContact, isArchived: boolean): ServedOperation {
  return command(endpoint, async ({ tx, params, audit }) => {
    const contact = await lockContact(tx, params.id)
    const isChanged = isArchived !== (contact.archived_at !== null)
    audit(contact.id, isChanged ? ['archivedAt'] : [])
    if (isArchived) await endPortalSessions(tx, contact.id)
    return showContact(isChanged ? await setArchived(tx, contact.id, isArchived) : contact)
  })
}

export const endSessions = command(contract.endPortalSessions, async ({ tx, params, audit }) => {
  const { id } = await lockContact(tx, params.id)
  const sessionsEnded = await endPortalSessions(tx, id)
  audit(id, sessionsEnded > 0 ? ['portalSession'] : [])
  return { sessionsEnded }
})
