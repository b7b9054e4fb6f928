import { listConsentTexts } from '#contract/billing/consent.ts'
import { readGatewayAccount } from '#contract/billing/gateway.ts'
import { listInvoices } from '#contract/billing/invoices.ts'
import { listAllPayments } from '#contract/billing/movements.ts'
import { readReconciliation } from '#contract/billing/reconciliation.ts'
import { readReminderSettings } from '#contract/billing/reminders.ts'
import { readBillingSettings } from '#contract/billing/settings.ts'
import { listInvoiceTemplates } from '#contract/billing/templates.ts'
import { listAgents } from '#contract/chat/agents.ts'
import { listGovernedChannels, listOwnChannels } from '#contract/chat/channels.ts'
import { listBudgets } from '#contract/crm/budgets.ts'
import { listClients } from '#contract/crm/clients.ts'
import { readIssuer } from '#contract/crm/issuer.ts'
import { listLeads } from '#contract/crm/leads.ts'
import { listOpportunities } from '#contract/crm/opportunities.ts'
import { readCrmSettings } from '#contract/crm/settings.ts'
import { listErrorGroups } from '#contract/error-reports/tab.ts'
import { listAudit } from '#contract/identity/audit-log.ts'
import { listOperatedMails, readHealth } from '#contract/identity/health.ts'
import { listInvitations } from '#contract/identity/invitations.ts'
import { findPeople, listOperators, listOrganizations } from '#contract/identity/operator.ts'
import { getOrganization, listMembers } from '#contract/identity/organization.ts'
import { listPersonalTokens } from '#contract/identity/personal-tokens.ts'
import { listProvisioningTokens } from '#contract/identity/provisioning.ts'
import { listRoles } from '#contract/identity/roles.ts'
import { readCaller } from '#contract/identity/sessions.ts'
import { listDepartments } from '#contract/identity/units.ts'
import { listApplications } from '#contract/integrations/applications.ts'
import { listOperatedScopeRequests } from '#contract/integrations/critical-scopes.ts'
import { listDeliveries } from '#contract/integrations/deliveries.ts'
import { listEntries } from '#contract/marketplace/entries.ts'
import { listEntryReports, listSubmissions } from '#contract/marketplace/review-queue.ts'
import { type Plan, planIncludes, plans } from '#contract/permissions.ts'
import type { Route } from '#contract/route.ts'
import { listAssets } from '#contract/studio/assets.ts'
import { listCollections } from '#contract/studio/collections.ts'
import { dataOf } from '../data/contract.ts'
import { type Caller, obstacleOf } from '../data/may.ts'
import type { IconName } from '../parts/icon.tsx'
import type { Language } from '../words/words.ts'

/** A screen that the navigation leads to. */
export type Destination = {
  id: string
  label: Readonly<Record<Language, string>>
  icon: IconName
  /** The path of its route: below `/o/$organization`, or from the root for what belongs to no organization. */
  route: `/o/$organization${string}` | `/operator${string}`
  /** The name of its own screen among its pages. Without it, its address leads to the first page. */
  startLabel?: Readonly<Record<Language, string>>
  /** Addresses below it belong to other entries. */
  isExact?: true
  shortcut?: string
  /** The screen is for the people who may call this operation. */
  operation: Route
  /** And only for administrators of the organization, whom the operation does not name. */
  isForAdministrators?: true
  /** The pages of the screen: they take the place of the navigation while one of them is open. */
  pages?: readonly Destination[]
}
export type NavigationGroup = {
  id: 'start' | 'work' | 'talk' | 'build' | 'end'
  label?: Readonly<Record<Language, string>>
  destinations: readonly Destination[]
}

/** The pages of the settings. */
const settingsNavigation: readonly Destination[] = [
  {
    id: 'settings-organization',
    label: { es: 'Organización', en: 'Organization' },
    icon: 'clients',
    route: '/o/$organization/settings/organization',
    operation: getOrganization,
  },
  {
    id: 'settings-members',
    label: { es: 'Miembros', en: 'Members' },
    icon: 'people',
    route: '/o/$organization/settings/members',
    operation: listMembers,
  },
  {
    id: 'settings-invitations',
    label: { es: 'Invitaciones', en: 'Invitations' },
    icon: 'mail',
    route: '/o/$organization/settings/invitations',
    operation: listInvitations,
  },
  {
    id: 'settings-units',
    label: { es: 'Unidades', en: 'Units' },
    icon: 'collections',
    route: '/o/$organization/settings/units',
    operation: listDepartments,
  },
  {
    id: 'settings-roles',
    label: { es: 'Roles', en: 'Roles' },
    icon: 'key',
    route: '/o/$organization/settings/roles',
    operation: listRoles,
  },
  {
    id: 'settings-provisioning',
    label: { es: 'Aprovisionamiento', en: 'Provisioning' },
    icon: 'link',
    route: '/o/$organization/settings/provisioning',
    operation: listProvisioningTokens,
  },
  {
    id: 'settings-audit',
    label: { es: 'Registro de auditoría', en: 'Audit log' },
    icon: 'audit',
    route: '/o/$organization/settings/audit',
    operation: listAudit,
  },
  {
    id: 'settings-crm',
    label: { es: 'CRM', en: 'CRM' },
    icon: 'leads',
    route: '/o/$organization/settings/crm',
    operation: readCrmSettings,
  },
  {
    id: 'settings-issuer',
    label: { es: 'Emisor', en: 'Issuer' },
    icon: 'file',
    route: '/o/$organization/settings/issuer',
    operation: readIssuer,
  },
  {
    id: 'settings-billing',
    label: { es: 'Facturación', en: 'Billing' },
    icon: 'invoices',
    route: '/o/$organization/settings/billing',
    operation: readBillingSettings,
  },
  {
    id: 'settings-templates',
    label: { es: 'Plantillas de correo', en: 'Mail templates' },
    icon: 'mail',
    route: '/o/$organization/settings/templates',
    operation: listInvoiceTemplates,
  },
  {
    id: 'settings-reminders',
    label: { es: 'Recordatorios', en: 'Reminders' },
    icon: 'clock',
    route: '/o/$organization/settings/reminders',
    operation: readReminderSettings,
  },
  {
    id: 'settings-gateway',
    label: { es: 'Pasarela de pago', en: 'Payment gateway' },
    icon: 'payments',
    route: '/o/$organization/settings/gateway',
    operation: readGatewayAccount,
  },
  {
    id: 'settings-consent',
    label: { es: 'Textos de consentimiento', en: 'Consent texts' },
    icon: 'budgets',
    route: '/o/$organization/settings/consent',
    operation: listConsentTexts,
  },
  {
    id: 'settings-tokens',
    label: { es: 'Tus tokens', en: 'Your tokens' },
    icon: 'device',
    route: '/o/$organization/settings/tokens',
    operation: listPersonalTokens,
  },
]

/** The pages of the operators of this server. */
const operatorNavigation: readonly Destination[] = [
  {
    id: 'operator-organizations',
    label: { es: 'Organizaciones', en: 'Organizations' },
    icon: 'clients',
    route: '/operator/organizations',
    operation: listOrganizations,
  },
  {
    id: 'operator-people',
    label: { es: 'Personas', en: 'People' },
    icon: 'people',
    route: '/operator/people',
    operation: findPeople,
  },
  {
    id: 'operator-operators',
    label: { es: 'Operadores', en: 'Operators' },
    icon: 'operator',
    route: '/operator/operators',
    operation: listOperators,
  },
  {
    id: 'operator-scopes',
    label: { es: 'Permisos críticos', en: 'Critical scopes' },
    icon: 'key',
    route: '/operator/scopes',
    operation: listOperatedScopeRequests,
  },
  {
    id: 'operator-submissions',
    label: { es: 'Revisión', en: 'Review desk' },
    icon: 'marketplace',
    route: '/operator/submissions',
    operation: listSubmissions,
  },
  {
    id: 'operator-reports',
    label: { es: 'Denuncias', en: 'Reports' },
    icon: 'flag',
    route: '/operator/reports',
    operation: listEntryReports,
  },
  {
    id: 'operator-health',
    label: { es: 'Salud', en: 'Health' },
    icon: 'lightning',
    route: '/operator/health',
    operation: readHealth,
  },
  {
    id: 'operator-mails',
    label: { es: 'Correos', en: 'Mails' },
    icon: 'mail',
    route: '/operator/mails',
    operation: listOperatedMails,
  },
  {
    id: 'operator-audit',
    label: { es: 'Auditoría de operadores', en: 'Audit of operators' },
    icon: 'audit',
    route: '/operator/audit',
    operation: listOperators,
  },
]

/** The whole navigation; `shownDestinations` has what a person sees of it. */
export const navigation: readonly NavigationGroup[] = [
  {
    id: 'start',
    destinations: [
      {
        id: 'home',
        label: { es: 'Inicio', en: 'Home' },
        icon: 'home',
        route: '/o/$organization',
        isExact: true,
        shortcut: 'g h',
        operation: readCaller,
      },
      {
        id: 'inbox',
        label: { es: 'Bandeja', en: 'Inbox' },
        icon: 'inbox',
        route: '/o/$organization/inbox',
        shortcut: 'g i',
        operation: readCaller,
      },
    ],
  },
  {
    id: 'work',
    label: { es: 'Trabajo', en: 'Work' },
    destinations: [
      {
        id: 'leads',
        label: { es: 'Leads', en: 'Leads' },
        icon: 'leads',
        route: '/o/$organization/leads',
        shortcut: 'g l',
        operation: listLeads,
      },
      {
        id: 'clients',
        label: { es: 'Clientes', en: 'Clients' },
        icon: 'clients',
        route: '/o/$organization/clients',
        shortcut: 'g c',
        operation: listClients,
      },
      {
        id: 'opportunities',
        label: { es: 'Oportunidades', en: 'Opportunities' },
        icon: 'opportunities',
        route: '/o/$organization/opportunities',
        shortcut: 'g o',
        operation: listOpportunities,
      },
      {
        id: 'budgets',
        label: { es: 'Presupuestos', en: 'Budgets' },
        icon: 'budgets',
        route: '/o/$organization/budgets',
        shortcut: 'g b',
        operation: listBudgets,
      },
      {
        id: 'invoices',
        label: { es: 'Facturas', en: 'Invoices' },
        icon: 'invoices',
        route: '/o/$organization/invoices',
        shortcut: 'g v',
        operation: listInvoices,
      },
      {
        id: 'payments',
        label: { es: 'Pagos', en: 'Payments' },
        icon: 'payments',
        route: '/o/$organization/payments',
        shortcut: 'g y',
        operation: listAllPayments,
      },
      {
        id: 'reconciliation',
        label: { es: 'Conciliación', en: 'Reconciliation' },
        icon: 'reconciliation',
        route: '/o/$organization/reconciliation',
        shortcut: 'g r',
        operation: readReconciliation,
      },
    ],
  },
  {
    id: 'talk',
    label: { es: 'Conversar', en: 'Talk' },
    destinations: [
      {
        id: 'channels',
        label: { es: 'Canales', en: 'Channels' },
        icon: 'channels',
        route: '/o/$organization/channels',
        shortcut: 'g t',
        operation: listOwnChannels,
      },
      {
        id: 'agents',
        label: { es: 'Agentes', en: 'Agents' },
        icon: 'lightning',
        route: '/o/$organization/agents',
        shortcut: 'g n',
        operation: listAgents,
      },
      {
        id: 'governed-channels',
        label: { es: 'Todos los canales', en: 'All channels' },
        icon: 'lock',
        route: '/o/$organization/channels/governed',
        operation: listGovernedChannels,
        isForAdministrators: true,
      },
    ],
  },
  {
    id: 'build',
    label: { es: 'Construir', en: 'Build' },
    destinations: [
      {
        id: 'studio',
        label: { es: 'Estudio', en: 'Studio' },
        icon: 'studio',
        route: '/o/$organization/studio',
        shortcut: 'g s',
        operation: listAssets,
      },
      {
        id: 'collections',
        label: { es: 'Colecciones', en: 'Collections' },
        icon: 'collections',
        route: '/o/$organization/collections',
        shortcut: 'g k',
        operation: listCollections,
      },
      {
        id: 'marketplace',
        label: { es: 'Mercado', en: 'Marketplace' },
        icon: 'marketplace',
        route: '/o/$organization/marketplace',
        shortcut: 'g m',
        operation: listEntries,
      },
      {
        id: 'applications',
        label: { es: 'Aplicaciones', en: 'Applications' },
        icon: 'applications',
        route: '/o/$organization/applications',
        shortcut: 'g a',
        operation: listApplications,
      },
      {
        id: 'errors',
        label: { es: 'Errores', en: 'Errors' },
        icon: 'errors',
        route: '/o/$organization/errors',
        shortcut: 'g e',
        operation: listErrorGroups,
      },
      {
        id: 'deliveries',
        label: { es: 'Entregas', en: 'Deliveries' },
        icon: 'deliveries',
        route: '/o/$organization/deliveries',
        shortcut: 'g d',
        operation: listDeliveries,
      },
    ],
  },
  {
    id: 'end',
    destinations: [
      {
        id: 'settings',
        label: { es: 'Ajustes', en: 'Settings' },
        icon: 'settings',
        route: '/o/$organization/settings',
        shortcut: 'g ,',
        operation: listMembers,
        pages: settingsNavigation,
      },
      {
        id: 'operator',
        label: { es: 'Operador', en: 'Operator' },
        icon: 'operator',
        route: '/operator',
        shortcut: 'g x',
        operation: listOrganizations,
        isExact: true,
        startLabel: { es: 'Resumen', en: 'Overview' },
        pages: operatorNavigation,
      },
    ],
  },
]

/** Every screen of the navigation, with those below others. */
export const allDestinations: readonly Destination[] = navigation.flatMap(({ destinations }) =>
  destinations.flatMap(destination => [destination, ...(destination.pages ?? [])]),
)

/** An entry as one person sees it; `lockedUntil` is the smallest plan that has it. */
export type ShownDestination = Omit<Destination, 'pages'> & {
  lockedUntil?: Plan
  pages?: readonly ShownDestination[]
}

/**
 * The entries that a person sees: those of operations that they may call. Entries that the plan lacks are
 * hidden, but shown with a lock to those who manage the organization (DSH-10).
 */
export function shownDestinations(destinations: readonly Destination[], caller: Caller): ShownDestination[] {
  return destinations.flatMap(destination => {
    if (destination.isForAdministrators && !caller.isAdministrator) return []
    const obstacle = obstacleOf(caller, destination.operation)
    const { pages, ...rest } = destination
    if (obstacle === undefined)
      return [{ ...rest, ...(pages && { pages: shownDestinations(pages, caller) }) }]
    const isOfPlan = obstacle === 'module' || obstacle === 'capability'
    if (!isOfPlan || !caller.permissions.includes('ORG_MANAGE')) return []
    const lockedUntil = smallestPlanWith(destination.operation)
    return lockedUntil ? [{ ...rest, lockedUntil }] : []
  })
}

function smallestPlanWith(operation: Route): Plan | undefined {
  const { module, alsoModule, capability } = dataOf(operation)
  return plans.find(plan => {
    const { modules, capabilities } = planIncludes[plan]
    return (
      (!module || modules.includes(module)) &&
      (!alsoModule || modules.includes(alsoModule)) &&
      (!capability || capabilities.includes(capability))
    )
  })
}
