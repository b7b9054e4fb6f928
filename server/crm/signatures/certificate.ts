import { openCertificate } from '#contract/crm/signatures.ts'
import { makePdf, type PdfBlock, type PdfFact } from '#platform/adapters/pdf.ts'
import type { Db } from '#platform/data/db.ts'
import { stream } from '#platform/http/operation.ts'
import { budgetFor } from '../budgets/budget.access.ts'
import type { BudgetRow } from '../budgets/budget.row.ts'
import { pdfFileName } from '../budgets/pdf.ts'
import { organizationName } from '../issuer/issuer.sql.ts'
import type { RequestSignerRow } from '../signature-requests/signature-request.row.ts'
import { signersOf } from '../signature-requests/signature-request.sql.ts'
import { consentTextOf } from '../signing/consent.ts'
import { type BudgetEventRow, eventsOf } from '../signing/signing-events.sql.ts'
import { maskIp } from './mask-ip.ts'
import { signatureFor } from './signature.access.ts'
import type { SignatureRow } from './signature.row.ts'
import { type TimeStampRow, timeStampCovering } from './time-stamps/time-stamp.sql.ts'

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

/** Renders the certificate of a signature as PDF. The bytes change only when the budget has new events,
 * and when its first time stamp arrives. */
export async function renderCertificate(
  db: Db,
  budget: BudgetRow,
  signature: SignatureRow,
  publicUrl: string,
): Promise<Buffer> {
  const { signature_request_id: requestId } = signature
  const [events, issuedBy, timeStamp, signers] = await Promise.all([
    eventsOf(db, budget.id, maxEvents),
    organizationName(db),
    timeStampCovering(db, signature.number),
    requestId === null ? [] : signersOf(db, [requestId]),
  ])
  return makePdf({
    title: `Certificado de firma · ${budget.code}`,
    author: signature.signer_name,
    language: 'es',
    at: signature.signed_at,
    foot: `Certificado de firma ${signature.id}`,
    blocks: [
      ...blocksOf(budget, issuedBy, { signature, signers, timeStamp, events }),
      note(signature, publicUrl),
    ],
  })
}

type Evidence = {
  signature: SignatureRow
  signers: RequestSignerRow[]
  timeStamp: TimeStampRow | undefined
  events: BudgetEventRow[]
}

function blocksOf(
  budget: BudgetRow,
  issuedBy: string,
  { signature, signers, timeStamp, events }: Evidence,
): PdfBlock[] {
  return [
    {
      kind: 'head',
      sender: issuedBy,
      title: 'Certificado de firma',
      number: 'Firma electrónica simple',
      facts: [],
    },
    { kind: 'subject', text: `Presupuesto ${budget.code} de ${issuedBy}: ${budget.title}` },
    facts('Firma', [
      ['Firmante', signature.signer_name],
      ['Correo electrónico', signature.signer_email],
      ['Fecha y hora', utc(signature.signed_at)],
      ['Dirección IP', signature.ip_masked],
      ['Navegador', signature.user_agent],
      ...placeFact(signature),
      ['Medio', viaTexts[signature.via]],
      ['Identificador', signature.id],
    ]),
    ...signerBlocks(signers),
    facts('Lo que se firmó', [
      ['Versión de la huella', `${signature.hash_version} (${hashVersionTexts[signature.hash_version]})`],
      ['Huella SHA-256', signature.document_hash],
      ['Consentimiento', consentTextOf(signature.consent_hash) ?? 'no consta'],
      ['Huella del consentimiento', signature.consent_hash ?? 'no consta'],
    ]),
    facts('Cadena de evidencias', [
      ['Número', String(signature.number)],
      ['Evidencia', signature.evidence_hash],
      ['Evidencia anterior', signature.previous_evidence_hash ?? 'ninguna: es la primera'],
    ]),
    ...(timeStamp ? [timeStampFacts(timeStamp)] : []),
    { kind: 'heading', text: 'Qué ocurrió' },
    {
      kind: 'table',
      columns: [{ title: 'Fecha y hora (UTC)' }, { title: 'Hecho' }, { title: 'Dirección IP' }],
      rows: events.map(({ at, kind, ip }) => [utc(at), eventTexts[kind], ip === null ? '' : maskIp(ip)]),
    },
  ]
}

function placeFact({ place, places }: SignatureRow): PdfFact[] {
  return place === null ? [] : [['Lugar entre las firmas', `${place} de ${places}`]]
}

/** All signers of a request in order, with the times of those who have signed. */
function signerBlocks(signers: RequestSignerRow[]): PdfBlock[] {
  if (signers.length === 0) return []
  return [
    { kind: 'heading', text: 'Firmantes' },
    {
      kind: 'table',
      columns: [{ title: 'Lugar' }, { title: 'Firmante' }, { title: 'Firmado (UTC)' }],
      rows: signers.map(({ position, name, signed_name, signed_at }) => [
        `${position} de ${signers.length}`,
        signed_name ?? name,
        signed_at === null ? 'no ha firmado' : utc(signed_at),
      ]),
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

/** The first time stamp that covers the signature; the file is downloaded beside the certificate. */
function timeStampFacts({
  stamped_at,
  authority,
  policy,
  serial_number,
  number,
  evidence_hash,
}: TimeStampRow) {
  return facts('Sello de tiempo (RFC 3161)', [
    ['Fecha y hora', utc(stamped_at)],
    ['Autoridad', authority],
    ['Política', policy],
    ['Número de serie', serial_number],
    ['Evidencia sellada', evidence_hash],
    ['Cubre', `las firmas de la organización hasta la número ${number}`],
  ])
}

const facts = (heading: string, rows: PdfFact[]): PdfBlock => ({ kind: 'facts', heading, rows })

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
  REQUEST_STOPPED: 'Petición de firmas detenida',
}
