import { openCertificate } from '#contract/crm/signatures.ts'
import { makePdf, type PdfBlock } from '#platform/adapters/pdf.ts'
import type { Db } from '#platform/data/database.ts'
import { stream } from '#platform/http/operation.ts'
import { budgetFor } from '../budgets/budget.access.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { pdfFileName } from '../budgets/pdf.ts'
import { organizationName } from '../issuer/issuer.sql.ts'
import { consentTextOf } from '../signing/consent.ts'
import { type BudgetEventRow, eventsOf } from '../signing/signing-events.sql.ts'
import { maskIp } from './mask-ip.ts'
import { signatureFor } from './signature.access.ts'
import type { SignatureRow } from './signature.row.ts'

const maxEvents = 500

export const downloadCertificate = stream(openCertificate, async ({ db, params, services, reply }) => {
  const signature = await signatureFor(db, params.budgetId, params.sigId)
  const budget = await budgetFor(db, params.budgetId)
  const pdf = await renderCertificate(db, budget, signature, services.publicUrl)
  return reply
    .type('application/pdf')
    .header('content-disposition', `attachment; filename="${certificateFileName(budget)}"`)
    .send(pdf)
})

/** The file name of a certificate. */
export function certificateFileName(budget: BudgetRow): string {
  return `certificado-${pdfFileName(budget)}`
}

/** Renders the certificate of a signature as PDF. The bytes change only when the budget has new events. */
export async function renderCertificate(
  db: Db,
  budget: BudgetRow,
  signature: SignatureRow,
  publicUrl: string,
): Promise<Buffer> {
  const [events, issuedBy] = await Promise.all([eventsOf(db, budget.id, maxEvents), organizationName(db)])
  return makePdf({
    title: `Certificado de firma · ${budget.code}`,
    author: signature.signer_name,
    language: 'es',
    at: signature.signed_at,
    foot: `Certificado de firma ${signature.id}`,
    blocks: [...blocksOf(budget, issuedBy, signature, events), note(signature, publicUrl)],
  })
}

function blocksOf(
  budget: BudgetRow,
  issuedBy: string,
  signature: SignatureRow,
  events: BudgetEventRow[],
): PdfBlock[] {
  return [
    { kind: 'title', text: 'Certificado de firma electrónica simple' },
    { kind: 'text', text: `Presupuesto ${budget.code} de ${issuedBy}: ${budget.title}` },
    { kind: 'heading', text: 'Firma' },
    detailTable([
      ['Firmante', signature.signer_name],
      ['Correo electrónico', signature.signer_email],
      ['Fecha y hora', utc(signature.signed_at)],
      ['Dirección IP', signature.ip_masked],
      ['Navegador', signature.user_agent],
      ['Medio', viaTexts[signature.via]],
      ['Identificador', signature.id],
    ]),
    { kind: 'heading', text: 'Lo que se firmó' },
    detailTable([
      ['Versión de la huella', `${signature.hash_version} (${hashVersionTexts[signature.hash_version]})`],
      ['Huella SHA-256', signature.document_hash],
      ['Consentimiento', consentTextOf(signature.consent_hash) ?? 'no consta'],
      ['Huella del consentimiento', signature.consent_hash ?? 'no consta'],
    ]),
    { kind: 'heading', text: 'Cadena de evidencias' },
    detailTable([
      ['Número', String(signature.number)],
      ['Evidencia', signature.evidence_hash],
      ['Evidencia anterior', signature.previous_evidence_hash ?? 'ninguna: es la primera'],
    ]),
    { kind: 'heading', text: 'Qué ocurrió' },
    {
      kind: 'table',
      columns: [
        { title: 'Fecha y hora (UTC)', share: 3 },
        { title: 'Hecho', share: 3 },
        { title: 'Dirección IP', share: 2 },
      ],
      rows: events.map(({ at, kind, ip }) => [utc(at), eventTexts[kind], ip === null ? '' : maskIp(ip)]),
    },
  ]
}

function note({ hash_version }: SignatureRow, publicUrl: string): PdfBlock {
  const check = hash_version === 3 ? ` El PDF firmado se puede comprobar en ${publicUrl}/verify.` : ''
  return {
    kind: 'note',
    text:
      'Firma electrónica simple según el Reglamento (UE) n.º 910/2014 (eIDAS). Este certificado es un documento aparte: ' +
      `lo que se firmó no se ha modificado.${check}`,
  }
}

function detailTable(rows: [name: string, text: string][]): PdfBlock {
  return {
    kind: 'table',
    columns: [
      { title: '', share: 1 },
      { title: '', share: 3 },
    ],
    rows,
  }
}

/** 2026-11-22 05:20:00.123 UTC */
function utc(time: string): string {
  return `${time.replace('T', ' ').replace('Z', '')} UTC`
}

const viaTexts = {
  LINK: 'enlace de firma',
  PORTAL: 'portal de clientes',
  IMPORT: 'firma anterior, importada',
}
const hashVersionTexts: Record<number, string> = {
  1: 'datos básicos del presupuesto',
  2: 'todos los datos visibles del presupuesto',
  3: 'el PDF exacto que se firmó',
}
const eventTexts: Record<BudgetEventRow['kind'], string> = {
  LINK_ISSUED: 'Enlace de firma emitido',
  LINK_SENT: 'Enlace de firma enviado por correo',
  LINK_REVOKED: 'Enlace de firma revocado',
  VIEWED: 'Enlace de firma abierto',
  SIGNED: 'Presupuesto firmado',
  DECLINED: 'Presupuesto rechazado',
  IMPORTED: 'Firma anterior importada',
}
