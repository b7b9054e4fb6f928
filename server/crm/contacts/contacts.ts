import * as promised from '#contract/crm/contacts.ts'
import { fail } from '#platform/fail.ts'
import { command, query, type ServedOperation } from '#platform/http/operation.ts'
import { newId } from '#platform/ids.ts'
import { patternOf } from '../given.ts'
import { endSessionsOf } from '../portal/portal.sql.ts'
import { holdReferences } from '../reference.sql.ts'
import { phoneCountryOf } from '../settings/crm-settings.sql.ts'
import { contactFor, lockContact } from './contact.access.ts'
import { showContact } from './contact.json.ts'
import { assertNamed, blankContact, changedFields, withFields } from './contact.rules.ts'
import { insertContact, listContacts, setArchived, setContact } from './contact.sql.ts'

export const create = command(promised.createContact, async ({ tx, caller, body, audit, services }) => {
  const [phoneCountry] = await Promise.all([phoneCountryOf(tx), holdReferences(tx, body)])
  const keeping = { cipher: services.cipher, organizationId: caller.organizationId, phoneCountry }
  const given = withFields(blankContact(newId()), body, keeping)
  assertNamed(given)
  const contact = await insertContact(tx, given)
  audit(contact.id, changedFields(null, contact))
  return showContact(contact)
})

export const list = query(promised.listContacts, async ({ db, query }) => {
  const { limit = 20, offset = 0, archived = false, clientId = null } = query
  const search = patternOf(query.search)
  const { rows, total } = await listContacts(db, [archived, clientId, search], { limit, offset })
  return { items: rows.map(showContact), total, limit, offset }
})

export const read = query(promised.readContact, async ({ db, params }) =>
  showContact(await contactFor(db, params.id)),
)

export const update = command(
  promised.updateContact,
  async ({ tx, caller, params, body, audit, services }) => {
    if (Object.keys(body).length === 0) fail('NOTHING_TO_CHANGE')
    const [before, phoneCountry] = await Promise.all([lockContact(tx, params.id), phoneCountryOf(tx)])
    if (before.archived_at !== null) fail('CONTACT_ARCHIVED')
    const keeping = { cipher: services.cipher, organizationId: caller.organizationId, phoneCountry }
    const after = withFields(before, body, keeping)
    assertNamed(after)
    if (after.client_id !== before.client_id) await holdReferences(tx, body)
    const changed = changedFields(before, after)
    audit(before.id, changed)
    // who came by the old address, or to the other client, is not let in by that any more
    if (after.email_hash !== before.email_hash || after.client_id !== before.client_id)
      await endSessionsOf(tx, before.id)
    return showContact(changed.length === 0 ? before : await setContact(tx, after))
  },
)

export const archive = archiving(promised.archiveContact, true)
export const unarchive = archiving(promised.unarchiveContact, false)

function archiving(endpoint: typeof promised.archiveContact, isArchived: boolean): ServedOperation {
  return command(endpoint, async ({ tx, params, audit }) => {
    const contact = await lockContact(tx, params.id)
    const isChanged = isArchived !== (contact.archived_at !== null)
    audit(contact.id, isChanged ? ['archivedAt'] : [])
    if (isArchived) await endSessionsOf(tx, contact.id)
    return showContact(isChanged ? await setArchived(tx, contact.id, isArchived) : contact)
  })
}

export const showOut = command(promised.showContactOut, async ({ tx, params, audit }) => {
  const { id } = await lockContact(tx, params.id)
  const sessionsEnded = await endSessionsOf(tx, id)
  audit(id, sessionsEnded > 0 ? ['portalSession'] : [])
  return { sessionsEnded }
})
