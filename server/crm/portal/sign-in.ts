import { openPortalSession, requestPortalLink } from '#contract/crm/portal.ts'
import { limits } from '#contract/limits.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { isId, newId } from '#platform/ids.ts'
import type { MailMessage } from '#platform/outside/mail.ts'
import { takeRate } from '#platform/rates.ts'
import { steps, type World } from '#platform/serve.ts'
import { emailHashes } from '../email.ts'
import { newSession } from './session.ts'
import { customerByEmail, customerById, insertPortalLink, takePortalLink } from './store.ts'
import { digestOf, newToken, organizationOf } from './token.ts'

const mails = { bucket: 'portal-mails', times: limits.portalMailsPerHour, windowSeconds: 3_600 }

/** Always the same answer, at once: whether anybody is written to shows in the mail alone. */
export const request = steps(requestPortalLink, async ({ body, world, transact }) => {
  const sending = sendLink(world, body.organizationId, body.email, (id, contactId, digest) =>
    transact(
      tx => insertPortalLink(tx, id, contactId, digest),
      { subject: contactId, changed: ['portalLink'] },
      body.organizationId,
    ),
  )
  sending.catch(error => world.log?.warn({ err: error }, 'a link to the portal could not be mailed'))
  return {}
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
    portalMail(customer.email, customer.organization_name, `${world.publicUrl}/portal#token=${token}`),
  )
}

/** The secret stands behind `#`, which browsers keep to themselves: no proxy log and no referrer shows it. */
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

export const open = steps(openPortalSession, async ({ body, world, transact }) => {
  const organizationId = organizationOf(body.token) ?? fail('UNAUTHENTICATED')
  return transact(
    async tx => {
      const taken = (await takePortalLink(tx, digestOf(body.token))) ?? fail('UNAUTHENTICATED')
      const customer = (await customerById(tx, taken.contact_id)) ?? fail('UNAUTHENTICATED')
      return newSession(world.seals, organizationId, customer.contact_id, taken.now_seconds)
    },
    { changed: ['portalSession'] },
    organizationId,
  )
})
