import type { StopReason } from '#contract/crm/signature-requests.ts'
import type { Tx } from '#platform/data/db.ts'
import { type MailKind, queueMail } from '#platform/jobs/mail-queue.ts'
import { withFullStop } from '#platform/language.ts'
import { layOutMail } from '#platform/mail-layout.ts'
import { budgetFor } from '../budgets/budget.access.ts'
import { mailSenderName } from '../letterhead/mail-sender.sql.ts'
import { mailSenderOf } from '../letterhead/mail-sender.ts'
import { signatureFor } from '../signatures/signature.access.ts'
import { consentLanguage } from '../signing/consent.ts'
import { attachmentsOf, type BudgetMailServices, type SignedMailData } from '../signing/mails.ts'
import { emailOfMember } from '../signing/signing-link.sql.ts'
import type { EndedRequest } from './signature-request.sql.ts'
import { requestOf, signersOf } from './signature-request.sql.ts'

type RequestMailData = { budgetId: string; requestId: string }

/** Tells the sender of a request that it ended before everybody signed. */
const endedEarly: MailKind<BudgetMailServices, RequestMailData> = {
  name: 'signature-request-ended',
  async compose(_services, db, { budgetId, requestId }) {
    const [budget, request] = await Promise.all([budgetFor(db, budgetId), requestOf(db, requestId)])
    if (!request) return undefined
    const members = [budget.owner_id, budget.created_by]
    const [to, informed] = await Promise.all([
      emailOfMember(db, [request.created_by]),
      // receives the mail about every refusal
      request.status === 'DECLINED' ? emailOfMember(db, members) : undefined,
    ])
    if (to === undefined || to === informed) return undefined
    const [fromName, signers] = await Promise.all([mailSenderName(db), signersOf(db, [requestId])])
    const signed = signers.filter(({ signature_id }) => signature_id !== null).length
    const why = endTexts[request.stop_reason ?? 'DECLINED']
    const { code, title } = budget
    return {
      fromName,
      to,
      subject: `Firma del presupuesto ${code} detenida`,
      text: `Ya no se pide la firma del presupuesto ${code}, «${title}»: ${why.es}.
Han firmado ${signed} de ${signers.length} personas. El presupuesto no está aceptado.

--
The signatures of the budget ${code} are no longer requested: ${why.en}. ${signed} of ${signers.length} people have signed, so it is not accepted.
`,
    }
  },
}

const endTexts: Record<StopReason | 'DECLINED', { es: string; en: string }> = {
  DECLINED: { es: 'alguien lo ha rechazado', en: 'somebody has declined it' },
  PERSON: { es: 'una persona de tu equipo lo ha detenido', en: 'a member of your team has stopped it' },
  LINK_REVOKED: { es: 'se ha revocado el enlace de un firmante', en: 'the link of a signer was revoked' },
  LINK_EXPIRED: { es: 'el enlace de un firmante ha caducado', en: 'the link of a signer has expired' },
  CLIENT_CHANGED: { es: 'el presupuesto es ahora de otro cliente', en: 'the budget has another client now' },
  BUDGET_CANCELLED: { es: 'el presupuesto se ha cancelado', en: 'the budget was cancelled' },
  SIGNER_ERASED: {
    es: 'se han borrado los datos de un firmante',
    en: 'the personal data of a signer were erased',
  },
}

const completedTexts = {
  es: (code: string, title: string, organization: string) => ({
    subject: `Presupuesto ${code} firmado por todos`,
    hello: (name: string) => `Hola, ${name}:`,
    signed: `ya han firmado todos el presupuesto ${code}, «${title}», de ${withFullStop(organization)}`,
    attached: 'Adjuntamos lo que se firmó y el certificado con todas las firmas. Guárdalos.',
  }),
  en: (code: string, title: string, organization: string) => ({
    subject: `Budget ${code} signed by everybody`,
    hello: (name: string) => `Hello ${name},`,
    signed: `everybody has signed the budget ${code}, “${title}”, of ${withFullStop(organization)}`,
    attached: 'What was signed and the certificate with all signatures are attached. Please keep them.',
  }),
}

/** Sends a signer the certificate with the signatures of everybody, in the language of the consent text. */
const completed: MailKind<BudgetMailServices, SignedMailData> = {
  name: 'signature-request-completed',
  async compose(services, db, { budgetId, signatureId }) {
    const budget = await budgetFor(db, budgetId)
    const signature = await signatureFor(db, budgetId, signatureId)
    const sender = await mailSenderOf(services.files, db)
    const language = consentLanguage(signature.consent_hash) ?? 'es'
    const text = completedTexts[language](budget.code, budget.title, sender.name)
    const { attachments, ...mail } = layOutMail(sender, {
      language,
      subject: text.subject,
      paragraphs: [text.hello(signature.signer_name), text.signed, text.attached],
    })
    const documents = await attachmentsOf(services, db, budget, signature)
    return { ...mail, to: signature.signer_email, attachments: [...attachments, ...documents] }
  },
}

/** Mails about requests that a worker sends. */
export const requestMailKinds = [endedEarly, completed]

/** Queues the mail to the sender of a request, unless it was they who ended it. */
export async function queueEndedMail(
  tx: Tx,
  budgetId: string,
  request: EndedRequest,
  actorId: string | null,
): Promise<void> {
  if (actorId !== request.created_by) await queueMail(tx, endedEarly, { budgetId, requestId: request.id })
}

/** Queues the mails with the complete certificate. */
export async function queueCompletedMails(
  tx: Tx,
  budgetId: string,
  signatureIds: readonly string[],
): Promise<void> {
  for (const signatureId of signatureIds) await queueMail(tx, completed, { budgetId, signatureId })
}
