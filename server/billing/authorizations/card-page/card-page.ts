import type { IncomingHttpHeaders } from 'node:http'
import { answerCardBank, giveCard, openCardPage } from '#contract/billing/card-page.ts'
import type { SandboxPages } from '#platform/adapters/gateway.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { type HtmlPage, languageOf, type PageSender, wantsHtml } from '#platform/http/html-page.ts'
import { type ServedOperation, stream, workflow } from '#platform/http/operation.ts'
import { pageSenderOf } from '#server/crm/index.ts'
import { gatewayOf, type PaymentContext, type PaymentPageServices } from '../../charges/payment-context.ts'
import { readAccount } from '../../gateway/account/gateway-account.sql.ts'
import { refusingGatewayErrors } from '../../gateway/account/gateway-errors.ts'
import { decryptAccount } from '../../gateway/account-keys.ts'
import { typedCardOf } from '../../gateway/sandbox-card.ts'
import { type AuthorizationRow, readAuthorization } from '../authorization.sql.ts'
import { readCustomer } from '../cards/saved-card.sql.ts'
import { completeSetup } from '../complete.ts'
import { bankPage, cardPage, donePage, gatewayRedirectPage } from './card-page.html.ts'
import { type CardPageRow, findCardPage } from './card-page.sql.ts'
import { readCardPageToken } from './card-page.token.ts'

type CardPageResult = { status: 'ACTIVE' | 'REQUIRES_ACTION' }

const open = stream(openCardPage, async ({ params: { token }, headers, services, request, reply }) => {
  const language = languageOf(headers)
  const { organizationId, id, sender, shown: content } = await cardPageFor(services, token)
  const isBack = new URL(request.url, services.publicUrl).searchParams.has('back')
  if (content.status === 'ACTIVE' && !isBack) fail('CARD_PAGE_NOT_VALID')
  const stored = await readAuthorization(services.database.of(organizationId), id)
  const now = await refusingGatewayErrors(completeSetup(services, organizationId, stored), 'userId')
  if (now.status === 'ACTIVE') return donePage(language, sender).send(reply)
  const url = await refusingGatewayErrors(urlAtGateway(services, organizationId, stored, token), 'userId')
  if (url !== undefined) return gatewayRedirectPage(language, { sender, shown: content, url }).send(reply)
  return cardPage(language, { token, sender, shown: content }).send(reply)
})

const give = workflow(giveCard, async ({ params: { token }, body, headers, services }) =>
  actOnSandbox(services, token, headers, async (sandboxPages, clientSecret) => {
    const { isAuthenticationRequired } = await sandboxPages.submitCard(clientSecret, typedCardOf(body))
    return isAuthenticationRequired ? 'REQUIRES_ACTION' : 'ACTIVE'
  }),
)

const answer = workflow(answerCardBank, async ({ params: { token }, body, headers, services }) =>
  actOnSandbox(services, token, headers, async (sandboxPages, clientSecret) => {
    await sandboxPages.answerSetup(clientSecret, body.answer === 'YES')
    return 'ACTIVE'
  }),
)

/** The card page: /c/:token. */
export const cardPageOperations: ServedOperation[] = [open, give, answer]

/** The authorization of a card page, while it is active or waits for a card. */
async function cardPageFor(
  { database, seals }: Pick<PaymentContext, 'database' | 'seals'>,
  token: string,
): Promise<{ organizationId: string; id: string; sender: PageSender; shown: CardPageRow }> {
  const named = readCardPageToken(seals, token) ?? fail('CARD_PAGE_NOT_VALID')
  const db = database.of(named.organizationId)
  const content = (await findCardPage(db, named.id)) ?? fail('CARD_PAGE_NOT_VALID')
  return { ...named, sender: await pageSenderOf(db), shown: content }
}

/** The gateway's own card page of an authorization; the same one for every call. */
async function urlAtGateway(
  context: PaymentContext,
  organizationId: string,
  { id, application_id, external_user_id, gateway_account_id }: AuthorizationRow,
  token: string,
): Promise<string | undefined> {
  const db = context.database.of(organizationId)
  const customerId = await readCustomer(
    db,
    { applicationId: application_id, userId: external_user_id },
    gateway_account_id,
  )
  const gateway = await gatewayOf(context, organizationId, gateway_account_id)
  const metadata = { organizationId, authorizationId: id }
  const backUrl = `${context.publicUrl}/c/${token}?back=1`
  return gateway.openCardPage({ customerId, metadata, backUrl }, `${id}:page`)
}

/** Performs the user's action in the sandbox. A refused card can be replaced. */
async function actOnSandbox(
  services: PaymentPageServices,
  token: string,
  headers: IncomingHttpHeaders,
  work: (sandboxPages: SandboxPages, clientSecret: string) => Promise<CardPageResult['status']>,
): Promise<CardPageResult | HtmlPage> {
  const language = languageOf(headers)
  const { organizationId, id, sender, shown: content } = await cardPageFor(services, token)
  const db = services.database.of(organizationId)
  const row = await readAccount(db, content.gateway_account_id)
  const account = decryptAccount(services.cipher, organizationId, row)
  const sandboxPages = services.gateways.sandboxPagesOf(account)
  if (!sandboxPages || content.status === 'ACTIVE') fail('CARD_PAGE_NOT_VALID')
  const { clientSecret } = await refusingGatewayErrors(
    services.gateways.of(account).readSetup(content.setup_id),
    'number',
  )
  try {
    const status = await refusingGatewayErrors(work(sandboxPages, clientSecret), 'number')
    if (status === 'ACTIVE') await completeSetup(services, organizationId, await readAuthorization(db, id))
    if (!wantsHtml(headers)) return { status }
    return status === 'ACTIVE' ? donePage(language, sender) : bankPage(language, { token, sender })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'GATEWAY_REFUSED' || !wantsHtml(headers)) throw error
    const complaint = error.extra.details?.[0]?.code ?? ''
    return cardPage(language, { token, sender, shown: content, complaint })
  }
}
