import type { MailMessage } from '#platform/adapters/mail.ts'
import type { Db, Tx } from '#platform/data/database.ts'
import type { Services } from '#platform/http/operation.ts'
import { type MailKind, queueMail } from '#platform/jobs/mail-queue.ts'
import { withFullStop } from '#platform/language.ts'
import { budgetFor } from '../budgets/budget.access.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { pdfFileName, renderBudgetPdf } from '../budgets/pdf.ts'
import { mailSenderOf } from '../issuer/issuer.sql.ts'
import { certificateFileName, renderCertificate } from '../signatures/certificate.ts'
import { signatureFor } from '../signatures/signature.access.ts'
import type { SignatureRow } from '../signatures/signature.row.ts'
import { declinerName, emailOfMember } from './signing-link.sql.ts'
import { readStoredPdf } from './stored-pdf.ts'

/** The services that mails about budgets need. */
export type BudgetMailServices = Pick<Services, 'files' | 'cipher' | 'publicUrl'>

type SignedMailData = { budgetId: string; signatureId: string }

/** Sends the signer the signed document and the certificate. */
const signedToSigner: MailKind<BudgetMailServices, SignedMailData> = {
  name: 'budget-signed-signer',
  async compose(services, db, { budgetId, signatureId }) {
    const budget = await budgetFor(db, budgetId)
    const signature = await signatureFor(db, budgetId, signatureId)
    const sender = await mailSenderOf(db)
    const { code, title } = budget
    return {
      ...sender,
      to: signature.signer_email,
      subject: `Presupuesto ${code} firmado`,
      text: `Hola, ${signature.signer_name}:

has firmado el presupuesto ${code}, «${title}», de ${withFullStop(sender.fromName)}
Adjuntamos lo que firmaste y el certificado de la firma. Guárdalos.

--
You have signed the budget ${code}. What you signed and the certificate of the signature are attached.
`,
      attachments: await attachmentsOf(services, db, budget, signature),
    }
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
    const { fromName } = await mailSenderOf(db)
    const { code, title } = budget
    return {
      fromName,
      to,
      subject: `Presupuesto ${code} firmado`,
      text: `${signature.signer_name} ha firmado el presupuesto ${code}, «${title}».
Adjuntamos lo que se firmó y el certificado de la firma.

--
${signature.signer_name} has signed the budget ${code}. What was signed and the certificate are attached.
`,
      attachments: await attachmentsOf(services, db, budget, signature),
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
    const { fromName } = await mailSenderOf(db)
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

/** The signed document and its certificate. Without a signed PDF, the PDF of the budget shows the signed data. */
async function attachmentsOf(
  { files, publicUrl }: BudgetMailServices,
  db: Db,
  budget: BudgetRow,
  signature: SignatureRow,
): Promise<MailMessage['attachments']> {
  const { document_sha256: sha256 } = signature
  const [document, certificate] = await Promise.all([
    sha256 === null ? renderBudgetPdf(db, budget) : readStoredPdf(files, sha256),
    renderCertificate(db, budget, signature, publicUrl),
  ])
  const contentType = 'application/pdf'
  return [
    { filename: pdfFileName(budget), content: document, contentType },
    { filename: certificateFileName(budget), content: certificate, contentType },
  ]
}
