import { sendSigningLink } from '#contract/crm/signing-links.ts'
import type { Operation } from '#contract/operation.ts'
import type { Tx } from '#platform/data/db.ts'
import { Refusal } from '#platform/fail.ts'
import { idempotentCall, runOnce } from '#platform/http/idempotency.ts'
import { workflow } from '#platform/http/operation.ts'
import type { LeasedMail } from '#platform/jobs/mail-queue.sql.ts'
import {
  type MailDeliveryServices,
  type MailKind,
  queueMailToSend,
  sendLeasedMail,
} from '#platform/jobs/mail-queue.ts'
import { writing } from '#platform/language.ts'
import { layOutMail } from '#platform/mail-layout.ts'
import { firstOf } from '#platform/required.ts'
import type { Cipher } from '#platform/security/cipher.ts'
import { budgetFor, lockBudget } from '../budgets/budget.access.ts'
import { mailSenderOf } from '../letterhead/mail-sender.ts'
import type { BudgetMailServices } from './mails.ts'
import { insertEvents } from './signing-events.sql.ts'
import { lockLink, openLinkFor } from './signing-link.access.ts'
import { showSigningLink } from './signing-link.json.ts'
import { assertBudgetOpen, assertLinkOpen } from './signing-link.rules.ts'
import { linkOf, setMailed, setToken } from './signing-link.sql.ts'
import { digestOf, newToken } from './signing-link.token.ts'

/**
 * Mails a link with a new secret. If the mail server does not accept the mail, a worker retries until it does, or until the link
 * is closed or sent again.
 */
export const send = workflow(
  sendSigningLink,
  async ({ db, caller, params, services, transact, idempotencyKey }) => {
    const { id, linkId } = params
    const token = newToken(caller.organizationId)
    let queued: Awaited<ReturnType<typeof renewSecret>> | undefined
    await transact(
      tx => {
        const renew = async () => {
          queued = await renewSecret(tx, services.cipher, params, { token, actorId: caller.personId })
        }
        if (idempotencyKey === undefined) return renew()
        const call = idempotentCall(caller, sendSigningLink as Operation, idempotencyKey, params)
        return runOnce(tx, services.cipher, call, renew)
      },
      { subject: id, changed: ['signingLinks'], detail: { linkId } },
    )
    if (queued) await sendLinkMails(services, [queued])
    const link = await linkOf(db, id, linkId)
    return { ...showSigningLink(link), mailSent: link.mailed_at !== null }
  },
)

async function renewSecret(
  tx: Tx,
  cipher: Cipher,
  { id, linkId }: { id: string; linkId: string },
  { token, actorId }: { token: string; actorId: string },
) {
  const budget = await lockBudget(tx, id)
  const link = await lockLink(tx, id, linkId)
  assertBudgetOpen(budget)
  assertLinkOpen(link)
  await setToken(tx, linkId, digestOf(token))
  return queueMailToSend(
    tx,
    signingLinkMail,
    linkMailOf(tx, cipher, { budgetId: id, linkId, token, actorId }),
  )
}

const purpose = 'signing link mail'
/** The data of a queued mail, with the encrypted secret of its link. */
export type LinkMail = {
  budgetId: string
  linkId: string
  token: string
  digest: string
  /** The person who sent it; null for a reminder. */
  actorId: string | null
  isReminder?: true
}

/** The mail of a link, to be queued. `token`: its secret. */
export function linkMailOf(tx: Tx, cipher: Cipher, link: Omit<LinkMail, 'digest'>): LinkMail {
  const { token, linkId } = link
  return {
    ...link,
    token: cipher.hide(purpose, token, `${tx.organizationId}/${linkId}`),
    digest: digestOf(token),
  }
}

/** Queues mails for `sendLinkMails`. */
export function queueLinkMails(tx: Tx, mails: readonly LinkMail[]): Promise<LeasedMail[]> {
  return Promise.all(mails.map(mail => queueMailToSend(tx, signingLinkMail, mail)))
}

/** Sends queued mails after the commit. A worker retries those that the mail server has not accepted. */
export async function sendLinkMails(
  services: MailDeliveryServices & BudgetMailServices,
  mails: readonly LeasedMail[],
): Promise<void> {
  await Promise.all(mails.map(mail => sendLeasedMail({ ...services, services }, signingLinkMail, mail)))
}

/** The mail with a signing link. */
export const signingLinkMail: MailKind<BudgetMailServices, LinkMail> = {
  name: 'signing-link',
  async compose({ cipher, files, publicUrl }, db, { budgetId, linkId, token: encrypted, isReminder }) {
    const token = cipher.reveal(purpose, encrypted, `${db.organizationId}/${linkId}`)
    // closed links and superseded secrets are not mailed
    const link = await openLinkFor(db, token).catch(error => {
      if (!(error instanceof Refusal)) throw error
    })
    if (!link) return undefined
    const [budget, sender] = await Promise.all([budgetFor(db, budgetId), mailSenderOf(files, db)])
    const last = firstOf([link.expires_at.slice(0, 10), budget.valid_until ?? '9999'].sort())
    const { name } = sender
    const { day } = writing.es
    const mail = layOutMail(sender, {
      language: 'es',
      subject: `${isReminder ? 'Recordatorio: presupuesto' : 'Presupuesto'} ${budget.code} de ${name} para firmar`,
      paragraphs: [
        `Hola, ${link.signer_name}:`,
        isReminder
          ? `El presupuesto ${budget.code} de ${name}, «${budget.title}», espera tu respuesta. Este enlace sustituye al anterior.`
          : `${name} te envía el presupuesto ${budget.code}, «${budget.title}».`,
        `Puedes leerlo y firmarlo hasta el ${day(last)}.`,
      ],
      action: { label: 'Leer y firmar el presupuesto', url: `${publicUrl}/s/${token}` },
      remarks: ['El enlace es personal: quien lo tenga puede firmar en tu nombre.'],
      translation: {
        language: 'en',
        paragraphs: [
          `${isReminder ? `The budget ${budget.code} of ${name} waits for your answer.` : `${name} sends you the budget ${budget.code}.`} Until ${writing.en.day(last)} you can read and sign it with the link above, which is yours alone.`,
        ],
        label: 'Read and sign the budget',
      },
    })
    return { ...mail, to: link.signer_email }
  },
  async sent(tx, { budgetId, linkId, digest, actorId }) {
    // sets mailed_at only if the mailed secret is still the current one
    await setMailed(tx, linkId, digest)
    await insertEvents(tx, { budgetId, linkId, kind: 'LINK_SENT', actorId })
  },
}
