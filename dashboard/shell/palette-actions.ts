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

function create(
  id: string,
  label: PaletteAction['label'],
  route: Destination['route'],
  operation: Route,
): PaletteAction {
  return { id, label, icon: 'plus', route, operation, isStarted: true }
}

/** Actions of other screens, in the words of their buttons, and the screens that the navigation does not list. */
export const paletteActions: readonly PaletteAction[] = [
  create('create-lead', { es: 'Nuevo lead', en: 'New lead' }, '/o/$organization/leads', createLead),
  create(
    'create-client',
    { es: 'Nuevo cliente…', en: 'New client…' },
    '/o/$organization/clients',
    createClient,
  ),
  create(
    'create-contact',
    { es: 'Nuevo contacto…', en: 'New contact…' },
    '/o/$organization/contacts',
    createContact,
  ),
  create(
    'create-opportunity',
    { es: 'Nueva oportunidad', en: 'New opportunity' },
    '/o/$organization/opportunities',
    createOpportunity,
  ),
  create(
    'create-budget',
    { es: 'Nuevo presupuesto', en: 'New budget' },
    '/o/$organization/budgets',
    createBudget,
  ),
  create(
    'create-invoice',
    { es: 'Nueva factura…', en: 'New invoice…' },
    '/o/$organization/invoices',
    createInvoice,
  ),
  create(
    'create-conversation',
    { es: 'Nueva conversación', en: 'New conversation' },
    '/o/$organization/channels',
    openDirectConversation,
  ),
  create('create-asset', { es: 'Nuevo recurso', en: 'New asset' }, '/o/$organization/studio', createAsset),
  create(
    'create-collection',
    { es: 'Nueva colección', en: 'New collection' },
    '/o/$organization/collections',
    createCollection,
  ),
  create(
    'create-application',
    { es: 'Nueva aplicación', en: 'New application' },
    '/o/$organization/applications',
    createApplication,
  ),
  create(
    'invite',
    { es: 'Invitar personas…', en: 'Invite people…' },
    '/o/$organization/settings/members',
    inviteMany,
  ),
  create('create-role', { es: 'Nuevo rol…', en: 'New role…' }, '/o/$organization/settings/roles', createRole),
  create(
    'create-department',
    { es: 'Nuevo departamento…', en: 'New department…' },
    '/o/$organization/settings/units',
    createDepartment,
  ),
  create(
    'create-workspace',
    { es: 'Nuevo espacio…', en: 'New workspace…' },
    '/o/$organization/settings/units?kind=WORKSPACE',
    createWorkspace,
  ),
  create(
    'create-group',
    { es: 'Nuevo grupo…', en: 'New group…' },
    '/o/$organization/settings/units?kind=GROUP',
    createGroup,
  ),
  create(
    'create-template',
    { es: 'Nueva plantilla de correo', en: 'New mail template' },
    '/o/$organization/settings/templates',
    createInvoiceTemplate,
  ),
  create(
    'create-token',
    { es: 'Nuevo token personal…', en: 'New personal token…' },
    '/o/$organization/settings/tokens',
    createPersonalToken,
  ),
  create(
    'create-provisioning-token',
    { es: 'Nuevo token de aprovisionamiento…', en: 'New provisioning token…' },
    '/o/$organization/settings/provisioning',
    createProvisioningToken,
  ),
  create(
    'create-organization',
    { es: 'Crear organización', en: 'Create organization' },
    '/operator/organizations',
    openOrganization,
  ),
  create('add-operator', { es: 'Añadir operador', en: 'Add operator' }, '/operator/operators', addOperator),
  {
    id: 'import-leads',
    label: { es: 'Importar leads…', en: 'Import leads…' },
    icon: 'file',
    route: '/o/$organization/leads/import',
    operation: importLeads,
  },
  {
    id: 'import-clients',
    label: { es: 'Importar clientes…', en: 'Import clients…' },
    icon: 'file',
    route: '/o/$organization/clients/import',
    operation: importClients,
  },
  {
    id: 'import-assets',
    label: { es: 'Importar recursos…', en: 'Import assets…' },
    icon: 'file',
    route: '/o/$organization/studio/import',
    operation: importAsset,
  },
  {
    id: 'publish-asset',
    label: { es: 'Publicar en el mercado', en: 'Publish in the marketplace' },
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
