import { listInvoices, readInvoice } from '#contract/billing/invoices.ts'
import { listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { listClients, readClient } from '#contract/crm/clients.ts'
import { listLeads, readLead, searchLeads } from '#contract/crm/leads.ts'
import { crmLimits } from '#contract/crm/limits.ts'
import { listOpportunities, readOpportunity } from '#contract/crm/opportunities.ts'
import type { Route } from '#contract/route.ts'
import { useMay } from '../../data/organization.tsx'
import { useList, useRead } from '../../data/read.ts'

/** The records that a person can find by name, in the order in which they are offered. */
export const recordKinds = ['client', 'lead', 'opportunity', 'budget', 'invoice'] as const
export type RecordKind = (typeof recordKinds)[number]

/** The screen of each kind, below the address of the organization. */
export const recordRoutes: Readonly<Record<RecordKind, string>> = {
  client: 'clients/$id',
  lead: 'leads/$id',
  opportunity: 'opportunities/$id',
  budget: 'budgets/$id',
  invoice: 'invoices/$id',
}

const lists: Readonly<Record<RecordKind, Route<unknown, unknown>>> = {
  client: listClients,
  lead: listLeads,
  opportunity: listOpportunities,
  budget: listBudgets,
  invoice: listInvoices,
}

export function isRecordKind(entityType: string): entityType is RecordKind {
  return recordKinds.some(kind => kind === entityType)
}

/** The kinds that the person may list. */
export function useRecordKinds(): RecordKind[] {
  const may = useMay()
  return recordKinds.filter(kind => may(lists[kind]))
}

type Found = { id: string; label: string; hint?: string | undefined }

/** The records of a kind that fit what a person types. */
export function useFoundRecords(
  kind: RecordKind | 'other',
  typed: string,
): { items: Found[]; isLoading: boolean } {
  const words = typed.trim()
  const search = words.length > 1 ? { search: words } : {}
  const isSearch = words.length >= crmLimits.leadSearchMin
  const is = (wanted: RecordKind, isWanted = true) => ({ enabled: kind === wanted && isWanted })
  const clients = useList(listClients, { query: { limit: 20, ...search } }, is('client'))
  const newestLeads = useList(listLeads, { query: {} }, is('lead', !isSearch))
  const foundLeads = useList(searchLeads, { query: { q: words, includeClosed: true } }, is('lead', isSearch))
  const opportunities = useList(listOpportunities, { query: { limit: 20, ...search } }, is('opportunity'))
  const budgets = useList(listBudgets, { query: { limit: 20, ...search } }, is('budget'))
  const invoices = useList(listInvoices, { query: { ...search } }, is('invoice'))
  const leads = isSearch ? foundLeads : newestLeads
  switch (kind) {
    case 'client':
      return {
        ...clients,
        items: clients.items.map(one => ({ id: one.id, label: one.name, hint: one.taxId ?? undefined })),
      }
    case 'lead':
      return {
        ...leads,
        items: leads.items.map(one => ({ id: one.id, label: leadName(one), hint: one.company ?? undefined })),
      }
    case 'opportunity':
      return { ...opportunities, items: opportunities.items.map(one => ({ id: one.id, label: one.title })) }
    case 'budget':
      return {
        ...budgets,
        items: budgets.items.map(one => ({ id: one.id, label: one.title, hint: one.code })),
      }
    case 'invoice':
      return { ...invoices, items: invoices.items.map(one => ({ id: one.id, label: invoiceName(one) })) }
    case 'other':
      return { items: [], isLoading: false }
  }
}

/** The name of a record that an asset is linked to; undefined while it is read, and if it cannot be read. */
export function useRecordName(kind: string, id: string): string | undefined {
  const may = useMay()
  const of = (wanted: RecordKind, operation: Route<unknown, unknown>) => ({
    enabled: kind === wanted && may(operation),
  })
  const client = useRead(readClient, { params: { id } }, of('client', readClient))
  const lead = useRead(readLead, { params: { id } }, of('lead', readLead))
  const opportunity = useRead(readOpportunity, { params: { id } }, of('opportunity', readOpportunity))
  const budget = useRead(readBudget, { params: { id } }, of('budget', readBudget))
  const invoice = useRead(readInvoice, { params: { id } }, of('invoice', readInvoice))
  return (
    client.data?.name ??
    (lead.data && leadName(lead.data)) ??
    opportunity.data?.title ??
    (budget.data && `${budget.data.code} · ${budget.data.title}`) ??
    (invoice.data && invoiceName(invoice.data))
  )
}

function leadName(lead: {
  firstName: string | null
  lastName: string | null
  company: string | null
  email: string | null
  phone: string | null
}): string {
  const person = [lead.firstName, lead.lastName].filter(Boolean).join(' ')
  return person || lead.company || lead.email || lead.phone || '–'
}

function invoiceName({ id, number }: { id: string; number: string | null }): string {
  return number ?? `${id.slice(0, 8)}…`
}
