import * as contract from '#contract/crm/portal.ts'
import { limits } from '#contract/limits.ts'
import type { Tx } from '#platform/data/db.ts'
import type { AuditSubject } from '#platform/events/audit.ts'
import { emit } from '#platform/events/emit.ts'
import { fail, Refusal } from '#platform/fail.ts'
import { countCall } from '#platform/http/counted-limits.ts'
import { languageOf, wantsHtml } from '#platform/http/html-page.ts'
import { stream, workflow } from '#platform/http/operation.ts'
import { isId } from '#platform/ids.ts'
import { type Language, withFullStop } from '#platform/language.ts'
import { layOutMail, type MailSender } from '#platform/mail-layout.ts'
import type { Services } from '#platform/services.ts'
import { emailHashes } from '../email.ts'
import { mailSenderOf } from '../letterhead/mail-sender.ts'
import { readSettings } from '../settings/crm-settings.sql.ts'
import { confirmSignInPage, linkSentPage, signedInPage, signedOutPage, signInPage } from './portal.html.ts'
import {
  type CustomerRow,
  customerByEmail,
  endSession,
  exchangeLink,
  insertPortalLink,
  lockCustomerByLink,
  portalSender,
} from './portal.sql.ts'
import { digestOf, linkSecret, sessionSecret } from './portal.token.ts'
import { expiredCookie, findCustomer, sessionCookie } from './session.ts'

const mailLimit = { bucket: 'portal-mails', times: limits.portalMailsPerHour, windowSeconds: 3_600 }

/** The page where a contact requests a portal link. */
export const signInForm = stream(
  contract.openPortalSignInPage,
  async ({ params, headers, services, reply }) => {
    const id = isId(params.organizationId) ? params.organizationId : fail('SIGNING_LINK_NOT_VALID')
    const db = services.database.of(id)
    const [sender, { portalGreeting }] = await Promise.all([portalSender(db), readSettings(db)])
    if (!sender) fail('SIGNING_LINK_NOT_VALID')
    return signInPage(languageOf(headers), { organizationId: id, sender, greeting: portalGreeting }).send(
      reply,
    )
  },
)

/** Replies at once and always the same, so that the reply does not reveal whether the address is known. */
export const requestLink = workflow(
  contract.requestPortalLink,
  async ({ body, headers, origin, services, transact }) => {
    const request = { ...body, language: languageOf(headers) }
    const sending = sendLink(services, request, (customer, digest) =>
      transact(
        async tx => {
          const isStored = await insertPortalLink(tx, customer, { digest, ip: origin.ip })
          if (isStored) announceAccess(tx, customer.contact_id)
          return isStored
        },
        { subject: customer.contact_id, changed: ['portalLink'] },
        body.organizationId,
      ),
    )
    sending.catch(error => services.log?.warn({ err: error }, 'Could not mail a portal link'))
    return wantsHtml(headers) ? linkSentPage(languageOf(headers)) : {}
  },
)

/** Announces to the team that a contact has other sessions or links. */
function announceAccess(tx: Tx, contactId: string): void {
  emit(tx, { personId: '' }, 'contact.changed', { ids: [contactId] })
}

type LinkMailServices = Pick<Services, 'database' | 'files' | 'mail' | 'cipher' | 'publicUrl'>

/** Mails a link to the contact with this address, unless there is none or it exceeded the limit of mails. */
async function sendLink(
  { database, files, mail, cipher, publicUrl }: LinkMailServices,
  { organizationId, email, language }: { organizationId: string; email: string; language: Language },
  storeLink: (customer: CustomerRow, digest: string) => Promise<boolean>,
): Promise<void> {
  if (!isId(organizationId)) return
  const hashes = emailHashes(cipher, organizationId, email)
  const db = database.of(organizationId)
  const customer = await customerByEmail(db, hashes)
  if (!customer) return
  try {
    await countCall(database, mailLimit, `${organizationId}/${customer.contact_id}`)
  } catch (error) {
    if (error instanceof Refusal) return
    throw error
  }
  const token = linkSecret.make(organizationId)
  if (!(await storeLink(customer, digestOf(token)))) return
  const sender = await mailSenderOf(files, db)
  await mail.send({
    ...portalMail(language, sender, `${publicUrl}/portal/enter/${token}`),
    to: customer.email,
  })
}

const mailTexts = {
  es: (name: string) => ({
    subject: `Tu acceso al portal de ${name}`,
    paragraphs: [
      'Hola:',
      `con este enlace entras en el portal de clientes de ${withFullStop(name)} Funciona una vez, durante ${limits.portalLinkMinutes} minutos.`,
    ],
    label: 'Entrar en el portal',
    remark: 'Si no lo has pedido tú, no hagas nada.',
  }),
  en: (name: string) => ({
    subject: `Your access to the portal of ${name}`,
    paragraphs: [
      'Hello,',
      `this link opens the customer portal of ${withFullStop(name)} It works once, within ${limits.portalLinkMinutes} minutes.`,
    ],
    label: 'Open the portal',
    remark: 'If you did not request it, you need not do anything.',
  }),
}

function portalMail(language: Language, sender: MailSender, url: string) {
  const { subject, paragraphs, label, remark } = mailTexts[language](sender.name)
  return layOutMail(sender, {
    language,
    subject,
    paragraphs,
    action: { label, url },
    remarks: [remark],
  })
}

/** Checks only the form of the token; an expired one is refused when it is used. */
export const openLink = stream(contract.openPortalLink, async ({ params: { token }, headers, reply }) => {
  if (!linkSecret.organizationOf(token)) fail('SIGNING_LINK_NOT_VALID')
  return confirmSignInPage(languageOf(headers), token).send(reply)
})

export const openSession = workflow(
  contract.openPortalSession,
  async ({ body, headers, origin, services, transact }) => {
    const organizationId = linkSecret.organizationOf(body.token) ?? fail('UNAUTHENTICATED')
    const token = sessionSecret.make(organizationId)
    const exchange = { token: digestOf(body.token), session: digestOf(token), ip: origin.ip }
    const auditSubject: AuditSubject = { changed: ['portalSession'] }
    const { expires_at } = await transact(
      async tx => {
        const customer = (await lockCustomerByLink(tx, exchange.token)) ?? fail('UNAUTHENTICATED')
        auditSubject.subject = customer.contact_id
        return (await exchangeLink(tx, customer.contact_id, exchange)) ?? fail('UNAUTHENTICATED')
      },
      auditSubject,
      organizationId,
    )
    if (!wantsHtml(headers)) return { token, expiresAt: expires_at }
    return signedInPage(languageOf(headers), sessionCookie(services, token))
  },
)

/** Succeeds without a session too. */
export const signOut = workflow(contract.leavePortal, async ({ headers, services, transact }) => {
  const customer = await findCustomer(services, headers)
  if (customer)
    await transact(
      async tx => {
        await endSession(tx, customer.sessionDigest)
        announceAccess(tx, customer.contact_id)
      },
      { subject: customer.contact_id, changed: ['portalSession'] },
      customer.db.organizationId,
    )
  return wantsHtml(headers) ? signedOutPage(languageOf(headers), expiredCookie(services)) : {}
})
