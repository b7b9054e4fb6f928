import type { Charge } from '#contract/billing/shapes.ts'
import type { Db } from '#platform/data/database.ts'
import type { HtmlPage } from '#platform/http/html-page.ts'
import type { Services } from '#platform/http/operation.ts'
import type { Language } from '#platform/language.ts'
import { type AccountRow, findAccount } from '../../gateway/account/gateway-account.sql.ts'
import { findOpenAttempt } from '../charge.sql.ts'
import { invoiceByLink } from './payment-page.access.ts'
import { bankPage, invoicePage, stripePage } from './payment-page.html.ts'

/** The account that an invoice of this currency can be paid through. */
export async function accountFor(db: Db, currency: string): Promise<AccountRow | undefined> {
  const account = await findAccount(db)
  return account?.status === 'READY' && account.currencies.includes(currency) ? account : undefined
}

/** What came of a try to pay. `said` is why the bank refused; `isAsked`: it asks the payer. */
export type Came = { charge: Charge; said?: string | null; isAsked: boolean }

/** The page that follows a try to pay. */
export async function pageAfter(
  { database, publicUrl }: Services,
  language: Language,
  token: string,
  { charge, said, isAsked }: Came,
): Promise<HtmlPage> {
  const { link, invoice } = await invoiceByLink(database, token)
  const db = database.of(link.organizationId)
  const [open, account] = await Promise.all([
    findOpenAttempt(db, invoice.id),
    accountFor(db, invoice.currency),
  ])
  const shown = { invoice, token, account, open, ...(said !== undefined && { said }) }
  if (charge.status !== 'REQUIRES_ACTION') return invoicePage(language, shown)
  if (isAsked) return bankPage(language, shown)
  if (account?.adapter !== 'stripe' || charge.clientSecret === null) return invoicePage(language, shown)
  const back = `${publicUrl}/p/${token}?back=1`
  return stripePage(language, shown, { clientSecret: charge.clientSecret, back })
}
