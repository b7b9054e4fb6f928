import { planIncludes } from '#contract/permissions.ts'
import { now } from '#platform/clock.ts'
import type { Tx } from '#platform/data/db.ts'
import type { Caller } from '#platform/http/caller.ts'
import { runOperation, seedCaller } from '#platform/http/seed.ts'
import { writing } from '#platform/language.ts'
import { firstOf, required } from '#platform/required.ts'
import type { DemoOrganization } from '#server/area.ts'
import { type DemoServices, seedSavedCard } from './authorizations/demo.ts'
import { createOfUser } from './invoices/drafts/create-of-user.ts'
import { lockInvoiceById } from './invoices/invoice.access.ts'
import { rectify } from './invoices/rectifying/rectify.ts'
import { recordPayment } from './payments/mark-paid.ts'

const vat = [{ name: 'IVA', rate: '21' }]
const harbour = {
  name: 'Inés Duarte',
  company: 'Harbour Books',
  email: 'ines@harbour.example',
  taxId: 'B11223344',
  address: 'Muelle Sur 4',
  city: 'Cádiz',
  postalCode: '11006',
  country: 'ES',
}
const fjord = {
  name: 'Lena Øst',
  company: 'Fjordworks',
  email: 'lena@fjordworks.example',
  address: 'Havnegata 1',
  city: 'Bergen',
  postalCode: '5003',
  country: 'NO',
}

type SampleInvoice = {
  body: object
  /** YYYY-MM-DD; undefined for a draft. Payment is due two weeks later. */
  issueDate?: string
  payment?: { amount?: number; reference: string; daysLater: number }
  isRectified?: true
}

/** Sample invoices dated around today, the oldest first, because numbers follow the order of days. */
function sampleInvoices(today: Date): SampleInvoice[] {
  const thisMonth = firstOfMonth(today, 0)
  const lastMonth = firstOfMonth(today, 1)
  const monthBefore = firstOfMonth(today, 2)
  return [
    {
      body: { userId: 'harbour', user: harbour, ...subscription(monthBefore) },
      issueDate: monthBefore,
      payment: { reference: 'Transferencia 4711', daysLater: 10 },
    },
    {
      body: { userId: 'harbour', ...subscription(lastMonth) },
      issueDate: lastMonth,
      payment: { amount: 20, reference: 'A cuenta', daysLater: 12 },
    },
    {
      body: { userId: 'harbour', ...subscription(thisMonth) },
      issueDate: dayOf(today),
      isRectified: true,
    },
    {
      body: {
        userId: 'fjord',
        user: fjord,
        currency: 'eur',
        lines: [
          { description: 'Migración de la biblioteca', quantity: '12.5', unitPriceCents: 6_000 },
          { description: 'Descuento de bienvenida', unitPriceCents: -5_000 },
        ],
      },
      issueDate: dayOf(today),
    },
    { body: { userId: 'fjord', ...subscription(thisMonth), issue: false } },
  ]
}

function subscription(month: string) {
  return {
    isSubscription: true,
    currency: 'eur',
    lines: [{ description: `Plan Estudio, ${writing.es.month(month)}`, unitPriceCents: 4_900, taxes: vat }],
  }
}

/**
 * Seeds invoices in several states, a test-mode gateway account and a saved card, as far as the plan includes them.
 * The issuer must exist.
 */
export function seedBilling(services: DemoServices) {
  return async (tx: Tx, organization: DemoOrganization): Promise<void> => {
    const { id, plan, people, applications } = organization
    const website = applications[1]
    const { modules } = planIncludes[plan]
    if (!website || !modules.includes('finance')) return
    const person = seedCaller(id, firstOf(people).id)
    const caller: Caller = { ...seedCaller(id, ''), auth: 'apiKey', applicationId: website.id }
    for (const { body, issueDate, payment, isRectified } of sampleInvoices(now())) {
      const dates = issueDate === undefined ? {} : { issueDate, dueDate: daysAfter(issueDate, 14) }
      const created = await runOperation(createOfUser, tx, caller, { body: { ...body, ...dates } })
      const params = { id: created.id }
      if (isRectified)
        await runOperation(rectify, tx, person, { params, body: { reason: 'Precio equivocado' } })
      if (!payment) continue
      const { amount, reference, daysLater } = payment
      const paidAt = `${daysAfter(required(issueDate, 'the day of a paid invoice'), daysLater)}T10:00:00.000Z`
      const invoice = await lockInvoiceById(tx, created.id)
      await recordPayment(tx, person, invoice, { method: 'TRANSFER', amount, paidAt, reference }, {})
    }
    if (modules.includes('card_payments')) await seedSavedCard(tx, services, website.id, 'harbour')
  }
}

function firstOfMonth(today: Date, monthsBack: number): string {
  return dayOf(new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - monthsBack, 1)))
}

function daysAfter(day: string, days: number): string {
  return dayOf(new Date(Date.parse(day) + days * 86_400_000))
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10)
}
