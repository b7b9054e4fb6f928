import { limits } from './limits.ts'
import type { Capability, Module, Permission } from './permissions.ts'
import { Id } from './shapes.ts'
import { Type } from './type.ts'

/** The rights that reading some objects takes. */
export type ReadingRights = {
  permission: Permission | null
  module?: Module
  capability?: Capability
}

const Ids = Type.Array(Id, { maxItems: limits.idsPerFrame })

/** Which objects changed. `createdIds` and `removedIds` are among `ids`. */
const Changes = Type.Object({
  ids: Ids,
  createdIds: Type.Optional(Ids),
  removedIds: Type.Optional(Ids),
  parentIds: Type.Optional({ ...Ids, description: 'The applications that these objects belong to' }),
})

/**
 * An event of the people's stream that says which objects changed, by id alone. `readBy` names the query that
 * reads these objects: people who may call it receive the event, and nobody else (PEO-4).
 */
function changed<const Frame extends string>(frame: Frame, readBy: string, rights: ReadingRights) {
  return { stream: 'people', frame, audience: 'people', readBy, rights, data: Changes } as const
}

const leads = { module: 'crm', capability: 'crm.leads' } as const
const crm = { module: 'crm', permission: 'CRM_VIEW' } as const
const integrations = { module: 'integrations', permission: 'INTEGRATIONS_MANAGE' } as const
const errors = { module: 'integrations', permission: 'ERROR_REPORTS_MANAGE' } as const
const everybody = { permission: null } as const

/** The events that only the people's stream sends (PEO-5). Several events may have one frame name. */
export const peopleEvents = {
  'lead.changed': changed('lead-changed', 'listLeads', { ...leads, permission: 'CRM_VIEW' }),
  'lead-import.moved': changed('import-moved', 'listLeadImports', { ...leads, permission: 'CRM_EDIT' }),
  'client-import.moved': changed('import-moved', 'listClientImports', { ...crm, permission: 'CRM_EDIT' }),
  'client.changed': changed('client-changed', 'listClients', crm),
  'contact.changed': changed('client-changed', 'listContacts', crm),
  'opportunity.changed': changed('opportunity-changed', 'listOpportunities', crm),
  'budget.changed': changed('budget-changed', 'listBudgets', crm),
  'invoice.changed': changed('invoice-changed', 'listInvoices', {
    module: 'finance',
    permission: 'BILLING_VIEW',
  }),
  'error.changed': changed('error-changed', 'listErrorGroups', errors),
  'ticket.changed': changed('error-changed', 'listErrorTickets', errors),
  'delivery.failed': changed('delivery-failed', 'listDeliveries', integrations),
  'webhook-endpoint.changed': changed('delivery-failed', 'readWebhookHealth', integrations),
  'application.changed': changed('application-settings-changed', 'listApplications', integrations),
  'member.changed': changed('access-changed', 'listMembers', everybody),
  'unit.changed': changed('access-changed', 'listDepartments', everybody),
  'role.changed': changed('access-changed', 'listRoles', everybody),
  'invitation.changed': changed('access-changed', 'listInvitations', { permission: 'ORG_MANAGE' }),
  'organization.changed': changed('access-changed', 'getOrganization', everybody),
  /** To the person themselves: their rights, their membership or their sessions changed. */
  'own-access.changed': { ...changed('access-changed', 'readCaller', everybody), audience: 'named' },
} as const

export type PeopleEventName = keyof typeof peopleEvents
/** An event that says which objects changed to all who may read them. */
export type ChangeEventName = Exclude<PeopleEventName, 'own-access.changed'>

/**
 * Declares that an operation, or an event for applications, is announced on the people's stream (PEO-6).
 * `id` is the path parameter or the field of the event with the id of the changed object; without it, the
 * subject of the operation's audit entry. `parent` is the same for the object that it belongs to.
 */
export type ChangeAnnouncement = {
  event: ChangeEventName
  id?: string
  parent?: string
  change?: 'created' | 'removed'
}
