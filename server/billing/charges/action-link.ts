import type { Tx } from '#platform/data/db.ts'
import { insertLinkForAction } from '../links/payment-link.sql.ts'
import { linkUrl } from '../links/payment-link.token.ts'
import type { PaymentContext } from './payment-context.ts'

/**
 * The secret of an action link. It is derived from the link's id and never stored, so a repeated call can return it
 * again.
 */
function actionToken(
  { seals }: Pick<PaymentContext, 'seals'>,
  organizationId: string,
  linkId: string,
): string {
  return `${organizationId}.${seals.seal('invoice link', linkId)}`
}

/** The address at which the payer of an attempt continues. */
export function actionUrl(
  context: Pick<PaymentContext, 'seals' | 'publicUrl'>,
  organizationId: string,
  linkId: string,
): string {
  return linkUrl(context, actionToken(context, organizationId, linkId))
}

/** Creates the link with which the payer answers the bank about one attempt. Other links stay valid (PLNK-7). */
export function createActionLink(
  tx: Tx,
  context: Pick<PaymentContext, 'seals'>,
  link: { id: string; invoiceId: string; attemptId: string },
): Promise<void> {
  return insertLinkForAction(tx, { ...link, token: actionToken(context, tx.organizationId, link.id) })
}
