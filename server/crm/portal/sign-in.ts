import * as promised from '#contract/crm/portal.ts'
import { limits } from '#contract/limits.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { isId, newId } from '#platform/ids.ts'
import type { MailMessage } from '#platform/outside/mail.ts'
import { languageOf, wantsPage } from '#platform/page.ts'
import { takeRate } from '#platform/rates.ts'
import { reads, steps, streams, type World } from '#platform/serve.ts'
import { emailHashes } from '../email.ts'
import { askedPage, doorPage, enteredPage, enterPage, leftPage } from './pages.ts'
import { cookieFor, newSession, noCookie } from './session.ts'
import { customerByEmail, customerById, insertPortalLink, portalName, takePortalLink } from './store.ts'
import { digestOf, newToken, organizationOf } from './token.ts'

const mails = { bucket: 'portal-mails', times: limits.portalMailsPerHour, windowSeconds: 3_600 }

/** Where the portal of an organization begins, for who has no mail yet. */
export const door = streams(promised.openPortalDoor, async ({ params, headers, world, reply }) => {
  const id = isId(params.organizationId) ? params.organizationId : fail('SIGNING_LINK_NOT_VALID')
  const name = (await portalName(world.database.of(id))) ?? fail('SIGNING_LINK_NOT_VALID')
  return doorPage(languageOf(headers), { id, name }).send(reply)
})

/** Always the same answer, at once: whether anybody is written to shows in the mail alone. */
export const request = steps(promised.requestPortalLink, async ({ body, headers, world, transact }) => {
  const sending = sendLink(world, body.organizationId, body.email, (id, contactId, digest) =>
    transact(
      tx => insertPortalLink(tx, id, contactId, digest),
      { subject: contactId, changed: ['portalLink'] },
      body.organizationId,
    ),
  )
  sending.catch(error => world.log?.warn({ err: error }, 'a link to the portal could not be mailed'))
  return wantsPage(headers) ? askedPage(languageOf(headers)) : {}
})

/** Mails a link to the contact who has the address, when there is one and they did not ask too often. */
async function sendLink(
  world: World,
  organizationId: string,
  email: string,
  keep: (id: string, contactId: string, digest: string) => Promise<void>,
): Promise<void> {
  if (!isId(organizationId)) return
  const hashes = emailHashes(world.cipher, organizationId, email)
  const customer = await customerByEmail(world.database.of(organizationId), hashes)
  if (!customer) return
  try {
    await takeRate(world.database, mails, `${organizationId}/${customer.contact_id}`)
  } catch (error) {
    if (error instanceof Refusal) return
    throw error
  }
  const token = newToken(organizationId)
  await keep(newId(), customer.contact_id, digestOf(token))
  await world.mail.send(
    portalMail(customer.email, customer.organization_name, `${world.publicUrl}/portal/enter/${token}`),
  )
}

function portalMail(to: string, organization: string, url: string): MailMessage {
  return {
    to,
    subject: `Tu acceso al portal de ${organization}`,
    text: `Hola:

con este enlace entras en el portal de clientes de ${organization}. Funciona una vez, durante ${limits.portalLinkMinutes} minutos:

${url}

Si no lo has pedido tú, no hagas nada.

--
This link opens the customer portal of ${organization}, once, within ${limits.portalLinkMinutes} minutes.
`,
  }
}

/** Nothing is looked up: a secret that is not good any more shows when it is used. */
export const enter = streams(promised.openPortalLink, async ({ params: { token }, headers, reply }) => {
  if (!organizationOf(token)) fail('SIGNING_LINK_NOT_VALID')
  return enterPage(languageOf(headers), token).send(reply)
})

export const open = steps(promised.openPortalSession, async ({ body, headers, world, transact }) => {
  const organizationId = organizationOf(body.token) ?? fail('UNAUTHENTICATED')
  const session = await transact(
    async tx => {
      const taken = (await takePortalLink(tx, digestOf(body.token))) ?? fail('UNAUTHENTICATED')
      const customer = (await customerById(tx, taken.contact_id)) ?? fail('UNAUTHENTICATED')
      return newSession(world.seals, organizationId, customer.contact_id, taken.now_seconds)
    },
    { changed: ['portalSession'] },
    organizationId,
  )
  if (!wantsPage(headers)) return session
  return enteredPage(languageOf(headers), cookieFor(world, session.token))
})

export const leave = reads(promised.leavePortal, async ({ headers, world }) =>
  wantsPage(headers) ? leftPage(languageOf(headers), noCookie(world)) : {},
)
