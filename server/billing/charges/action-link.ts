import type { Tx } from '#platform/data/database.ts'
import { insertAction } from '../links/payment-link.sql.ts'
import { urlOf } from '../links/payment-link.token.ts'
import type { Till } from './till.ts'

/**
 * The secret of a link that was made for one attempt. It is made from the id of the link and kept nowhere, and can be
 * told again to whoever repeats the call.
 */
function tokenOf({ seals }: Pick<Till, 'seals'>, organizationId: string, linkId: string): string {
  return `${organizationId}.${seals.seal('invoice link', linkId)}`
}

/** Where the payer of an attempt goes on. */
export function actionUrl(
  till: Pick<Till, 'seals' | 'publicUrl'>,
  organizationId: string,
  linkId: string,
): string {
  return urlOf(till, tokenOf(till, organizationId, linkId))
}

/** Makes the link on which the payer of an attempt answers the bank. It revokes no other (PLNK-7). */
export function insertActionLink(
  tx: Tx,
  till: Pick<Till, 'seals'>,
  link: { id: string; invoiceId: string; attemptId: string },
): Promise<void> {
  return insertAction(tx, { ...link, token: tokenOf(till, tx.organizationId, link.id) })
}
