import type { Charge } from '#contract/billing/shapes.ts'
import type { Db } from '#platform/data/db.ts'
import type { HtmlPage } from '#platform/http/html-page.ts'
import type { Language } from '#platform/language.ts'
import { pageSenderOf } from '#server/crm/index.ts'
import { type AccountRow, findAccount } from '../../gateway/account/gateway-account.sql.ts'
import { findOpenAttempt } from '../charge.sql.ts'
import type { PaymentContext } from '../payment-context.ts'
import { invoiceByLink } from './payment-page.access.ts'
import { bankPage, invoicePage, stripePage } from './payment-page.html.ts'

/** The account that can collect this currency. */
export async function accountForCurrency(db: Db, currency: string): Promise<AccountRow | undefined> {
  const account = await findAccount(db)
  return account?.status === 'READY' && account.currencies.includes(currency) ? account : undefined
}

/**
 * The result of a try to pay. `bankMessage` is the reason for a refusal; `needsBankAnswer`: the bank asks the payer
 * to authenticate.
 */
export type PaymentOutcome = { charge: Charge; bankMessage?: string | null; needsBankAnswer: boolean }

/** The page after a try to pay. */
export async function pageAfter(
  { database, publicUrl }: Pick<PaymentContext, 'database' | 'publicUrl'>,
  language: Language,
  token: string,
  { charge, bankMessage, needsBankAnswer }: PaymentOutcome,
): Promise<HtmlPage> {
  const { link, invoice } = await invoiceByLink(database, token)
  const db = database.of(link.organizationId)
  const [open, account, sender] = await Promise.all([
    findOpenAttempt(db, invoice.id),
    accountForCurrency(db, invoice.currency),
    pageSenderOf(db),
  ])
  const content = { sender, invoice, token, account, open, ...(bankMessage !== undefined && { bankMessage }) }
  if (charge.status !== 'REQUIRES_ACTION') return invoicePage(language, content)
  if (needsBankAnswer) return bankPage(language, content)
  if (account?.adapter !== 'stripe' || charge.clientSecret === null) return invoicePage(language, content)
  const back = `${publicUrl}/p/${token}?back=1`
  return stripePage(language, { ...content, account }, { clientSecret: charge.clientSecret, back })
}
