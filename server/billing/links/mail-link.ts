import type { Tx } from '#platform/data/db.ts'
import { newId } from '#platform/ids.ts'
import { readSettings } from '../settings/billing-settings.sql.ts'
import { insertLinkForMail } from './payment-link.sql.ts'
import { newLinkToken } from './payment-link.token.ts'

/**
 * Adds a link for a mail about an issued invoice (PLNK-12), and returns its token. It revokes no other link, because earlier
 * mails keep working.
 */
export async function addMailLink(tx: Tx, invoiceId: string): Promise<string> {
  const token = newLinkToken(tx.organizationId)
  const { linkDays: days } = await readSettings(tx)
  await insertLinkForMail(tx, { id: newId(), invoiceId, token, days })
  return token
}
