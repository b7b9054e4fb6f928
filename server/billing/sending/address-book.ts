import type { Db } from '#platform/data/db.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { invoiceMailboxes } from '#server/crm/index.ts'
import { findUser } from '../external-users/external-user.sql.ts'
import type { InvoiceRow } from '../invoices/invoice.row.ts'
import type { AddressBook } from './recipients.ts'

/** The addresses of an invoice. Its client counts: the user may belong to another client by now. */
export async function addressBookOf(
  db: Db,
  cipher: Cipher,
  { client_id: clientId, application_id, external_user_id, recipient }: InvoiceRow,
  requested: readonly string[],
): Promise<AddressBook> {
  const { organizationId } = db
  const [{ main, known }, user] = await Promise.all([
    invoiceMailboxes(db, cipher, { organizationId, clientId, requested }),
    application_id !== null && external_user_id !== null
      ? findUser(db, application_id, external_user_id)
      : undefined,
  ])
  const issuedTo = recipient?.email ?? null
  const ofUser = user?.email ?? null
  const other = application_id === null ? issuedTo : ofUser
  return { defaultAddress: main ?? other, known: [issuedTo, ofUser, ...known] }
}
