import type { MailMessage } from '#platform/adapters/mail.ts'
import type { Db, Tx } from '#platform/data/db.ts'
import { type MailKind, queueMail } from '#platform/jobs/mail-queue.ts'
import { type Language, withFullStop, writing } from '#platform/language.ts'
import { layOutMail } from '#platform/mail-layout.ts'
import type { Services } from '#platform/services.ts'
import { budgetFor } from '../budgets/budget.access.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { pdfFileName, renderBudgetPdf } from '../budgets/pdf.ts'
import { mailSenderName } from '../letterhead/mail-sender.sql.ts'
import { mailSenderOf } from '../letterhead/mail-sender.ts'
import { sealOf } from '../seals/budget-seal.sql.ts'
import { sealedFileName } from '../seals/read.ts'
import { certificateFileName, renderCertificate } from '../signatures/certificate.ts'
import { signatureFor } from '../signatures/signature.access.ts'
import type { SignatureRow } from '../signatures/signature.row.ts'
import { consentLanguage } from './consent.ts'
import { declinerName, emailOfMember } from './signing-link.sql.ts'
import { readStoredPdf } from './stored-pdf.ts'

/** The services that mails about budgets need. */
export type BudgetMailServices = Pick<Services, 'files' | 'cipher' | 'publicUrl'>

/** A signature of a budget. */
export type SignedMailData = { budgetId: string; signatureId: string }

const signedTexts = {
  es: (code: string, title: string, organization: string) => ({
    subject: `Presupuesto ${code} firmado`,
    signed: `has firmado el presupuesto ${code}, «${title}», de ${withFullStop(organization)}`,
    attached: 'Adjuntamos lo que firmaste y el certificado de la firma. Guárdalos.',
    hello: (name: string) => `Hola, ${name}:`,
    signedAt: 'Firmado',
  }),
  en: (code: string, title: string, organization: string) => ({
    subject: `Budget ${code} signed`,
    signed: `you have signed the budget ${code}, “${title}”, of ${withFullStop(organization)}`,
    attached: 'What you signed and the certificate of the signature are attached. Please keep them.',
    hello: (name: string) => `Hello ${name},`,
    signedAt: 'Signed',
  }),
}

/** Sends the signer the signed document and the certificate, in the language of the consent text. */
const signedToSigner: MailKind<BudgetMailServices, SignedMailData> = {
  name: 'budget-signed-signer',
  async compose(services, db, { budgetId, signatureId }) {
    const budget = await budgetFor(db, budgetId)
    const signature = await signatureFor(db, budgetId, signatureId)
    const sender = await mailSenderOf(services.files, db)
    const language = consentLanguage(signature.consent_hash) ?? 'es'
    const t = signedTexts[language](budget.code, budget.title, sender.name)
    const documents = await attachmentsOf(services, db, budget, signature)
    const sealed = documents.find(({ filename }) => filename === sealedFileName(budget))
    const { attachments, ...mail } = layOutMail(sender, {
      language,
      subject: `${t.subject}${placeText(signature, language)}`,
      paragraphs: [t.hello(signature.signer_name), t.signed, `${t.attached}${sealedNotes[language](sealed)}`],
      facts: [[t.signedAt, writing[language].moment(signature.signed_at)]],
    })
    return { ...mail, to: signature.signer_email, attachments: [...attachments, ...documents] }
  },
}

/** Sends the same to the owner of the budget, or else to its creator. */
const signedToOwner: MailKind<BudgetMailServices, SignedMailData> = {
  name: 'budget-signed-owner',
  async compose(services, db, { budgetId, signatureId }) {
    const budget = await budgetFor(db, budgetId)
    const to = await emailOfMember(db, [budget.owner_id, budget.created_by])
    if (to === undefined) return undefined
    const signature = await signatureFor(db, budgetId, signatureId)
    const fromName = await mailSenderName(db)
    const { code, title } = budget
    const attachments = await attachmentsOf(services, db, budget, signature)
    const sealed = attachments.find(({ filename }) => filename === sealedFileName(budget))
    return {
      fromName,
      to,
      subject: `Presupuesto ${code} firmado${placeText(signature, 'es')}`,
      text: `${signature.signer_name} ha firmado el presupuesto ${code}, «${title}».
Adjuntamos lo que se firmó y el certificado de la firma.${sealedNotes.es(sealed)}

--
${signature.signer_name} has signed the budget ${code}. What was signed and the certificate are attached.${sealedNotes.en(sealed)}
`,
      attachments,
    }
  },
}

type DeclinedMailData = { budgetId: string; linkId?: string; contactId?: string }

const declinedToOwner: MailKind<BudgetMailServices, DeclinedMailData> = {
  name: 'budget-declined-owner',
  async compose(_services, db, { budgetId, linkId, contactId }) {
    const budget = await budgetFor(db, budgetId)
    const to = await emailOfMember(db, [budget.owner_id, budget.created_by])
    if (to === undefined) return undefined
    const by = await declinerName(db, linkId ?? null, contactId ?? null)
    const fromName = await mailSenderName(db)
    const { code, title, decline_reason: reason } = budget
    return {
      fromName,
      to,
      subject: `Presupuesto ${code} rechazado`,
      text: `${by || 'El cliente'} ha rechazado el presupuesto ${code}, «${title}».
${reason ? `\nMotivo: ${reason}\n` : ''}
--
${by || 'The client'} has declined the budget ${code}.
`,
    }
  },
}

/** Mails about budgets that a worker sends. */
export const signingMailKinds = [signedToSigner, signedToOwner, declinedToOwner]

/** Queues the mails to the signer and to the owner of a budget; each is sent independently. */
export async function queueSignedMails(tx: Tx, signed: SignedMailData): Promise<void> {
  await Promise.all([queueMail(tx, signedToSigner, signed), queueMail(tx, signedToOwner, signed)])
}

export function queueDeclinedMail(tx: Tx, declined: DeclinedMailData): Promise<void> {
  return queueMail(tx, declinedToOwner, declined)
}

/** ` (2 of 3)` for one of several signatures. */
function placeText({ place, places }: SignatureRow, language: Language): string {
  if (place === null) return ''
  return language === 'es' ? ` (${place} de ${places})` : ` (${place} of ${places})`
}

type Attachment = { filename: string }
/** The sentence about the sealed document, if there is one. */
const sealedNotes = {
  es: (sealed: Attachment | undefined) =>
    sealed ? `\n${sealed.filename} es el mismo documento, con el sello electrónico de quien lo emite.` : '',
  en: (sealed: Attachment | undefined) =>
    sealed ? `\n${sealed.filename} is the same document with the electronic seal of its issuer.` : '',
}

/** The signed document, its certificate and, if it is sealed, the sealed document. Without a signed PDF, the PDF of the budget shows the signed data. */
export async function attachmentsOf(
  { files, publicUrl }: BudgetMailServices,
  db: Db,
  budget: BudgetRow,
  signature: SignatureRow,
): Promise<NonNullable<MailMessage['attachments']>> {
  const { document_sha256: sha256 } = signature
  const sealed = await sealOf(db, budget.id)
  const [document, certificate, sealedDocument] = await Promise.all([
    sha256 === null ? renderBudgetPdf(files, db, budget) : readStoredPdf(files, sha256),
    renderCertificate(db, budget, signature, publicUrl),
    sealed?.sha256 ? readStoredPdf(files, sealed.sha256) : undefined,
  ])
  const contentType = 'application/pdf'
  return [
    { filename: pdfFileName(budget), content: document, contentType },
    { filename: certificateFileName(budget), content: certificate, contentType },
    ...(sealedDocument ? [{ filename: sealedFileName(budget), content: sealedDocument, contentType }] : []),
  ]
}
