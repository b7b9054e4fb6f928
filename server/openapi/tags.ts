import type { Operation } from '#contract/operation.ts'
import type { Json } from './components.ts'

const descriptions: Record<string, string> = {
  auth: 'Session tokens, stream tokens, personal access tokens, invitations',
  billing: 'Invoices, payments, charges, refunds, authorizations, public links',
  chat: 'Channels, members, messages, grants of applications, agents',
  crm: 'Leads, clients, contacts, opportunities, budgets, signatures, the customer portal',
  'error-reports': 'Errors that applications report, and their tickets',
  events: "The people's stream: what changes in all areas",
  integrations: 'Applications, keys, scopes, webhooks and their deliveries',
  marketplace: 'Entries, reviews, installs and the review of submissions',
  operator: 'For operators of the server: organizations, plans, people',
  org: 'The organization: members, roles, units, invitations, the audit log',
  studio: 'Assets, versions, files, packages, collections, links, shares',
}

/** A tag for each area and for the webhooks; the full document also has tags for sign-in and the server. */
export function tagsOf(endpoints: readonly Operation[], audience: 'everyone' | 'applications'): Json[] {
  const areas = [...new Set(endpoints.map(({ area }) => area))].sort()
  const tags = areas.map(name => ({ name, description: descriptions[name] }))
  if (audience === 'everyone') {
    tags.push({ name: 'server', description: 'Health, metrics and the OpenAPI documents' })
    tags.push({ name: 'sign-in', description: 'Sign in and out, passwords, one-time codes, passkeys' })
  }
  tags.push({ name: 'webhooks', description: 'Events for applications' })
  return tags
}
