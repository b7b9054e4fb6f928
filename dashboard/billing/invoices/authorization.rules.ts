import type { listAuthorizations } from '#contract/billing/authorizations.ts'
import type { Reply } from '#contract/route.ts'
import type { Invoice } from './invoice.ts'

export type Authorization = Reply<typeof listAuthorizations>['data'][number]

/** The newest authorization that allows to charge what is due (CHG-8); the list is newest first. */
export function usableAuthorization(
  authorizations: readonly Authorization[],
  { id, currency, dueCents }: Pick<Invoice, 'id' | 'currency' | 'dueCents'>,
): Authorization | undefined {
  return authorizations.find(
    authorization =>
      authorization.status === 'ACTIVE' &&
      authorization.currency === currency &&
      (authorization.scope === 'RECURRING' || authorization.invoiceId === id) &&
      (authorization.limitCents === null || authorization.limitCents >= dueCents),
  )
}
