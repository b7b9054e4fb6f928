import { createMandate, createRemittance } from '#contract/billing/direct-debits.ts'
import { createInvoice } from '#contract/billing/invoices.ts'
import { listAllCharges, listAllRefunds } from '#contract/billing/movements.ts'
import { createInvoiceTemplate } from '#contract/billing/templates.ts'
import { openDirectConversation } from '#contract/chat/channels.ts'
import { searchMessages } from '#contract/chat/messages.ts'
import { createBudget } from '#contract/crm/budgets.ts'
import { importClients } from '#contract/crm/client-imports.ts'
import { createClient } from '#contract/crm/clients.ts'
import { createContact, listContacts } from '#contract/crm/contacts.ts'
import { importLeads } from '#contract/crm/lead-imports.ts'
import { createLead } from '#contract/crm/leads.ts'
import { createOpportunity } from '#contract/crm/opportunities.ts'
import { listErrorTickets } from '#contract/error-reports/tickets.ts'
import { inviteMany } from '#contract/identity/invitations.ts'
import { addOperator, openOrganization } from '#contract/identity/operator.ts'
import { createPersonalToken } from '#contract/identity/personal-tokens.ts'
import { createProvisioningToken } from '#contract/identity/provisioning.ts'
import { createRole } from '#contract/identity/roles.ts'
import { createDepartment, createGroup, createWorkspace } from '#contract/identity/units.ts'
import { createApplication } from '#contract/integrations/applications.ts'
import { submitEntry } from '#contract/marketplace/entries.ts'
import type { Route } from '#contract/route.ts'
import { createAsset } from '#contract/studio/assets.ts'
import { createCollection } from '#contract/studio/collections.ts'
import { listDeletedAssets } from '#contract/studio/lifecycle.ts'
import { importAsset } from '#contract/studio/packages.ts'
import type { IconName } from '../parts/icon.tsx'
import { type ActionId, actionTexts } from '../words/actions.ts'
import type { Language } from '../words/words.ts'
import type { Destination } from './navigation.ts'

/** An entry of the palette that it has on every screen, beside the destinations of the navigation. */
type PaletteAction = {
  /** With `isStarted`, the id of the command of the screen. */
  id: string
  label: Readonly<Record<Language, string>>
  icon: IconName
  /** The path of the screen, with search parameters if it needs some. */
  route: Destination['route']
  /** For the people who may call this operation. */
  operation: Route
  /** Whether the screen starts its own command of this id; otherwise the screen is all there is to open. */
  isStarted?: true
}

/** An action of another screen, in the words of its button. */
function action(id: ActionId): Pick<PaletteAction, 'id' | 'label'> {
  return { id, label: { es: actionTexts.es[id], en: actionTexts.en[id] } }
}

function create(id: ActionId, route: Destination['route'], operation: Route): PaletteAction {
  return { ...action(id), icon: 'plus', route, operation, isStarted: true }
}

/** Actions of other screens, and the screens that the navigation does not list. */
export const paletteActions: readonly PaletteAction[] = [
  create('create-lead', '/o/$organization/leads', createLead),
  create('create-client', '/o/$organization/clients', createClient),
  create('create-contact', '/o/$organization/contacts', createContact),
  create('create-opportunity', '/o/$organization/opportunities', createOpportunity),
  create('create-budget', '/o/$organization/budgets', createBudget),
  create('create-invoice', '/o/$organization/invoices', createInvoice),
  create('create-mandate', '/o/$organization/payments/mandates', createMandate),
  create('create-remittance', '/o/$organization/payments/direct-debits', createRemittance),
  create('create-conversation', '/o/$organization/channels', openDirectConversation),
  create('create-asset', '/o/$organization/studio', createAsset),
  create('create-collection', '/o/$organization/collections', createCollection),
  create('create-application', '/o/$organization/applications', createApplication),
  create('invite', '/o/$organization/settings/members', inviteMany),
  create('create-role', '/o/$organization/settings/roles', createRole),
  create('create-department', '/o/$organization/settings/units', createDepartment),
  create('create-workspace', '/o/$organization/settings/units?kind=WORKSPACE', createWorkspace),
  create('create-group', '/o/$organization/settings/units?kind=GROUP', createGroup),
  create('create-template', '/o/$organization/settings/templates', createInvoiceTemplate),
  create('create-token', '/o/$organization/settings/tokens', createPersonalToken),
  create('create-provisioning-token', '/o/$organization/settings/provisioning', createProvisioningToken),
  create('create-organization', '/operator/organizations', openOrganization),
  create('add-operator', '/operator/operators', addOperator),
  {
    ...action('import-leads'),
    icon: 'file',
    route: '/o/$organization/leads/import',
    operation: importLeads,
  },
  {
    ...action('import-clients'),
    icon: 'file',
    route: '/o/$organization/clients/import',
    operation: importClients,
  },
  {
    ...action('import-assets'),
    icon: 'file',
    route: '/o/$organization/studio/import',
    operation: importAsset,
  },
  {
    ...action('publish-asset'),
    icon: 'marketplace',
    route: '/o/$organization/marketplace/submit',
    operation: submitEntry,
  },
  {
    id: 'go-contacts',
    label: { es: 'Contactos', en: 'Contacts' },
    icon: 'people',
    route: '/o/$organization/contacts',
    operation: listContacts,
  },
  {
    id: 'go-charges',
    label: { es: 'Cobros con tarjeta', en: 'Card charges' },
    icon: 'payments',
    route: '/o/$organization/payments/charges',
    operation: listAllCharges,
  },
  {
    id: 'go-refunds',
    label: { es: 'Devoluciones', en: 'Refunds' },
    icon: 'payments',
    route: '/o/$organization/payments/refunds',
    operation: listAllRefunds,
  },
  {
    id: 'go-messages',
    label: { es: 'Buscar mensajes', en: 'Search messages' },
    icon: 'search',
    route: '/o/$organization/channels/search',
    operation: searchMessages,
  },
  {
    id: 'go-tickets',
    label: { es: 'Incidencias', en: 'Tickets' },
    icon: 'errors',
    route: '/o/$organization/errors/tickets',
    operation: listErrorTickets,
  },
  {
    id: 'go-deleted-assets',
    label: { es: 'Recursos borrados', en: 'Deleted assets' },
    icon: 'trash',
    route: '/o/$organization/studio/trash',
    operation: listDeletedAssets,
  },
]
