import type { IncomingHttpHeaders } from 'node:http'
import { answerByLink, payByLink } from '#contract/billing/pay-page.ts'
import type { Charge } from '#contract/billing/shapes.ts'
import { GatewayRefused, GatewayUnknown, type SandboxPages } from '#platform/adapters/gateway.ts'
import { type HtmlPage, languageOf, wantsHtml } from '#platform/http/html-page.ts'
import { type Transact, workflow } from '#platform/http/operation.ts'
import { required } from '#platform/required.ts'
import { readAccount } from '../../gateway/account/gateway-account.sql.ts'
import { decryptAccount } from '../../gateway/account-keys.ts'
import { typedCardOf } from '../../gateway/sandbox-card.ts'
import { showCharge } from '../charge.json.ts'
import type { AttemptRow } from '../charge.row.ts'
import { openPayment } from '../pay/open-payment.ts'
import type { PaymentPageServices } from '../payment-context.ts'
import { settleAttempt } from '../settle.ts'
import { invoiceByLink, lockByLink } from './payment-page.access.ts'
import { type PaymentOutcome, pageAfter } from './payment-page.json.ts'

/** An action of the payer in the sandbox. */
type SandboxAction = (sandboxPages: SandboxPages, clientSecret: string) => ReturnType<SandboxPages['pay']>
type PageRequest = {
  services: PaymentPageServices
  transact: Transact
  headers: IncomingHttpHeaders
  params: { token: string }
}

export const pay = workflow(payByLink, input => {
  const { number, expires } = input.body
  if (number === undefined || expires === undefined) return payOnPage(input)
  const card = typedCardOf({ number, expires })
  return payOnPage(input, (sandboxPages, secret) => sandboxPages.pay(secret, card))
})

export const answer = workflow(answerByLink, input =>
  payOnPage(input, (sandboxPages, secret) => sandboxPages.answerIntent(secret, input.body.isYou === 'yes')),
)

/** Opens a payment for the link or reuses the open one, performs the payer's action, and settles. */
async function payOnPage(
  { services, transact, headers, params: { token } }: PageRequest,
  act?: SandboxAction,
): Promise<Charge | HtmlPage> {
  const { link } = await invoiceByLink(services.database, token)
  const { organizationId, invoice_id } = link
  const attempt = await openPayment(services, organizationId, null, begin =>
    transact(
      async tx => begin(tx, await lockByLink(tx, link)),
      { subject: invoice_id, changed: ['payment'], detail: { linkId: link.id } },
      organizationId,
    ),
  )
  const charge = await showCharge(services, organizationId, attempt)
  const outcome = act
    ? await performAction(services, organizationId, attempt, charge, act)
    : { charge, needsBankAnswer: false }
  if (wantsHtml(headers)) return pageAfter(services, languageOf(headers), token, outcome)
  return { ...outcome.charge, failureMessage: outcome.bankMessage ?? outcome.charge.failureMessage }
}

async function performAction(
  services: PaymentPageServices,
  organizationId: string,
  attempt: AttemptRow,
  charge: Charge,
  act: SandboxAction,
): Promise<PaymentOutcome> {
  const account = await readAccount(
    services.database.of(organizationId),
    required(attempt.gateway_account_id, 'the gateway account of a card payment'),
  )
  const sandboxPages = services.gateways.sandboxPagesOf(
    decryptAccount(services.cipher, organizationId, account),
  )
  if (!sandboxPages || charge.clientSecret === null) return { charge, needsBankAnswer: false }
  const outcome = await act(sandboxPages, charge.clientSecret).then(
    ({ status, failure }) => ({
      needsBankAnswer: status === 'requires_action',
      ...(failure && { bankMessage: failure.message }),
    }),
    (error: unknown) => {
      if (error instanceof GatewayRefused)
        return { needsBankAnswer: false, bankMessage: error.failure.message }
      // settling reads what was done
      if (error instanceof GatewayUnknown) return { needsBankAnswer: false }
      throw error
    },
  )
  const settled = await settleAttempt(services, { organizationId, id: attempt.id })
  return { ...outcome, charge: await showCharge(services, organizationId, settled) }
}
