import type { IncomingHttpHeaders } from 'node:http'
import { answerCardBank, giveCard, openCardPage } from '#contract/billing/card-page.ts'
import { fail, Refusal } from '#platform/fail.ts'
import type { SandboxDesk } from '#platform/outside/gateway.ts'
import { languageOf, type Page, wantsPage } from '#platform/page.ts'
import { type Served, steps, streams, type World } from '#platform/serve.ts'
import { asked } from '../../gateway/account/ask.ts'
import { findAccountById } from '../../gateway/account/store.ts'
import { opened } from '../../gateway/reach.ts'
import { completeSetup } from '../complete.ts'
import { findAuthorization } from '../store.ts'
import { bankPage, cardPage, donePage } from './pages.ts'
import { findWaiting, type Shown } from './store.ts'
import { namedBy } from './token.ts'

type Outcome = { status: 'ACTIVE' | 'REQUIRES_ACTION' }

const open = streams(openCardPage, async ({ params: { token }, headers, world, reply }) => {
  const { shown } = await waitingFor(world, token)
  return cardPage(languageOf(headers), { token, shown }).send(reply)
})

const give = steps(giveCard, async ({ params: { token }, body, headers, world }) => {
  const [month = '', year = ''] = body.expires.split('/')
  const card = {
    number: body.number,
    expiresMonth: Number(month),
    expiresYear: Number(year.length === 2 ? `20${year}` : year),
  }
  return act(world, token, headers, async (desk, clientSecret) =>
    (await desk.giveCard(clientSecret, card)).isAsked ? 'REQUIRES_ACTION' : 'ACTIVE',
  )
})

const answer = steps(answerCardBank, async ({ params: { token }, body, headers, world }) =>
  act(world, token, headers, async (desk, clientSecret) => {
    await desk.answerSetup(clientSecret, body.answer === 'YES')
    return 'ACTIVE'
  }),
)

/** Where users give a card to the sandbox: /c/:token. */
export const cardPageOperations: Served[] = [open, give, answer]

/** The authorization that an address opens, while it waits for a card. */
async function waitingFor(
  { database, seals }: World,
  token: string,
): Promise<{ organizationId: string; id: string; shown: Shown }> {
  const named = namedBy(seals, token) ?? fail('CARD_PAGE_NOT_VALID')
  const shown = await findWaiting(database.of(named.organizationId), named.id)
  return { ...named, shown: shown ?? fail('CARD_PAGE_NOT_VALID') }
}

/** What the user does at the gateway's desk, and what comes of it. A card that is refused can be given again. */
async function act(
  world: World,
  token: string,
  headers: IncomingHttpHeaders,
  work: (desk: SandboxDesk, clientSecret: string) => Promise<Outcome['status']>,
): Promise<Outcome | Page> {
  const language = languageOf(headers)
  const { organizationId, id, shown } = await waitingFor(world, token)
  const db = world.database.of(organizationId)
  const row = (await findAccountById(db, shown.gateway_account_id))!
  const account = opened(world.cipher, organizationId, row)
  const { clientSecret } = await asked(world.gateways.of(account).readSetup(shown.setup_id), 'number')
  try {
    const status = await asked(work(world.gateways.deskOf(account)!, clientSecret), 'number')
    if (status === 'ACTIVE') await completeSetup(world, organizationId, (await findAuthorization(db, id))!)
    if (!wantsPage(headers)) return { status }
    return status === 'ACTIVE' ? donePage(language, shown) : bankPage(language, { token, shown })
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'GATEWAY_REFUSED' || !wantsPage(headers)) throw error
    return cardPage(language, { token, shown, complaint: error.extra.details?.[0]?.code ?? '' })
  }
}
