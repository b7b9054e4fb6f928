import { limits } from '#contract/limits.ts'
import { now } from '#platform/clock.ts'
import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { runOperation } from '#platform/http/seed.ts'
import { lockBudget } from '../budgets/budget.access.ts'
import { create } from '../budgets/budgets.ts'
import { fingerprintToSign } from '../signatures/fingerprint.ts'
import { recordSignature } from '../signatures/record.ts'
import { consentHash } from './consent.ts'
import { addLink } from './issue.ts'
import type { SigningLinkRow } from './signing-link.row.ts'
import { setUsed } from './signing-link.sql.ts'
import { newToken } from './signing-link.token.ts'
import { type PdfStorageServices, storeBudgetPdf } from './stored-pdf.ts'

const iva = [{ name: 'IVA', rate: '21' }]
const draftBudget = {
  title: 'Nueva web de Atelier Nord',
  sections: [
    {
      title: 'Fase 1: diseño',
      description: 'De la primera conversación a las páginas acordadas.',
      items: [
        { name: 'Taller de arranque', quantity: '4', unit: 'h', unitPriceCents: 9_000, taxes: iva },
        {
          name: 'Diseño de páginas',
          description: 'Móvil y escritorio',
          quantity: '32.5',
          unit: 'h',
          unitPriceCents: 7_500,
          discount: { kind: 'PERCENT', value: '10' },
          taxes: iva,
        },
      ],
    },
    {
      title: 'Fase 2: puesta en marcha',
      items: [
        { name: 'Desarrollo', unitPriceCents: 480_000, taxes: iva },
        { name: 'Fotografías', unitPriceCents: 90_000, optional: true, selected: false, taxes: iva },
      ],
    },
  ],
  discounts: [{ name: 'Descuento de bienvenida', kind: 'PERCENT', value: '5' }],
  conditions: 'La mitad al empezar, la otra mitad a la entrega.',
  internalNotes: 'Jon decides within a month.',
}

/** A budget for next year; without validUntil, so that it never expires. */
const sentBudget = (today: Date) => ({
  title: `Mantenimiento de la web, ${today.getUTCFullYear() + 1}`,
  sections: [
    { items: [{ name: 'Mantenimiento', quantity: '12', unit: 'mes', unitPriceCents: 9_900, taxes: iva }] },
  ],
  conditions: 'Por trimestres, a mes vencido.',
})
const signedBudget = {
  title: 'Identidad visual',
  sections: [
    {
      items: [
        { name: 'Logotipo y colores', unitPriceCents: 120_000, taxes: iva },
        { name: 'Tarjetas', quantity: '200', unitPriceCents: 35, taxes: iva },
      ],
    },
  ],
}
const signer = { signerName: 'Miren Agirre', signerEmail: 'miren@ateliernord.example' }

/** Seeds a draft, a sent budget and a signed one. */
export async function seedBudgets(
  tx: Tx,
  caller: Caller,
  clientId: string,
  services: PdfStorageServices,
): Promise<void> {
  await runOperation(create, tx, caller, { body: { clientId, ...draftBudget } })
  // storing a file inside the transaction is fine here: nothing waits for its locks
  await issueDemoLink(tx, caller, { clientId, ...sentBudget(now()) }, services)
  const { budgetId, link } = await issueDemoLink(tx, caller, { clientId, ...signedBudget }, services)
  const budget = await lockBudget(tx, budgetId)
  await setUsed(tx, link.id)
  await recordSignature(tx, { personId: '' }, budget, {
    via: 'LINK',
    signedAt: null,
    documentHash: link.document_sha256 ?? fingerprintToSign(budget),
    hashVersion: link.document_sha256 === null ? 2 : 3,
    ...signer,
    ip: '203.0.113.20',
    userAgent: 'Mozilla/5.0',
    consentHash: consentHash('es'),
    link: { id: link.id, documentId: link.document_id },
  })
}

/** Creates a budget with a link whose secret is discarded; mailing the link creates a new one. */
async function issueDemoLink(
  tx: Tx,
  caller: Caller,
  body: object,
  services: PdfStorageServices,
): Promise<{ budgetId: string; link: SigningLinkRow }> {
  const { id: budgetId } = await runOperation(create, tx, caller, { body })
  const budget = await lockBudget(tx, budgetId)
  const terms = { days: limits.signingLinkDaysDefault, token: newToken(caller.organizationId) }
  const storedPdf = await storeBudgetPdf(services, tx, budget)
  const link = await addLink(tx, caller, budget, { ...signer, ...terms, storedPdf })
  return { budgetId, link }
}
