/** Rights of a person in an organization; see the table of ROLE-9. */
export const permissions = [
  'STUDIO_VIEW',
  'STUDIO_CREATE',
  'STUDIO_EDIT',
  'STUDIO_DELETE',
  'STUDIO_PUBLISH',
  'STUDIO_VERIFY',
  'STUDIO_SHARE',
  'STUDIO_MARKETPLACE_VIEW',
  'STUDIO_MARKETPLACE_INSTALL',
  'STUDIO_MARKETPLACE_SUBMIT',
  'STUDIO_MARKETPLACE_REVIEW',
  'ORG_MANAGE',
  'INTEGRATIONS_MANAGE',
  'CHAT_USE',
  'CHAT_CHANNELS_CREATE',
  'CHAT_CHANNELS_EDIT',
  'CHAT_MEMBERS_ADD',
  'CHAT_MEMBERS_REMOVE',
  'CHAT_APPLICATIONS_MANAGE',
  'ERROR_REPORTS_MANAGE',
  'CRM_VIEW',
  'CRM_EDIT',
  'CRM_NOTES',
  'CRM_ERASE',
  'BILLING_VIEW',
  'BILLING_EDIT',
  'BILLING_REFUND',
  'BILLING_REVERSE',
] as const
export type Permission = (typeof permissions)[number]

const member: Permission[] = [
  'STUDIO_VIEW',
  'STUDIO_CREATE',
  'STUDIO_EDIT',
  'STUDIO_DELETE',
  'STUDIO_PUBLISH',
  'STUDIO_SHARE',
  'STUDIO_MARKETPLACE_VIEW',
  'STUDIO_MARKETPLACE_INSTALL',
  'STUDIO_MARKETPLACE_REVIEW',
  'CHAT_USE',
  'CHAT_CHANNELS_CREATE',
  'CHAT_CHANNELS_EDIT',
  'CHAT_MEMBERS_ADD',
  'CHAT_MEMBERS_REMOVE',
  'CRM_VIEW',
  'CRM_EDIT',
]
const administrator: Permission[] = permissions.filter(name => name !== 'STUDIO_VERIFY')

/** The permissions of the built-in roles. Super administrators also have STUDIO_VERIFY. */
export const rolePermissions = { OWNER: administrator, ADMIN: administrator, MEMBER: member } as const
export const builtInRoles = ['OWNER', 'ADMIN', 'MEMBER'] as const
export type BuiltInRole = (typeof builtInRoles)[number]

/** Rights of an external application; see the table of SCP-7. */
export const scopes = [
  'studio:assets:read',
  'chat:events:subscribe',
  'chat:messages:view',
  'chat:messages:send',
  'chat:channels:create',
  'chat:channels:manage',
  'chat:members:manage',
  'chat:agents:manage',
  'analytics:errors:write',
  'analytics:errors:read',
  'crm:budgets:signatures:read',
  'crm:budgets:signatures:verify',
  'crm:leads:read',
  'crm:leads:write',
  'crm:leads:convert',
  'crm:leads:read:scoring',
  'crm:leads:read:notes',
  'crm:invoices:read',
  'crm:invoices:send',
  'crm:invoices:write',
  'billing:refund',
  'billing:charge',
] as const
export type Scope = (typeof scopes)[number]

/** Scopes that only an operator can grant, with a reason (SCP-5). */
export const criticalScopes = [
  'crm:budgets:signatures:verify',
  'crm:leads:convert',
  'crm:leads:read:notes',
  'billing:refund',
  'billing:charge',
] as const satisfies readonly Scope[]
export type CriticalScope = (typeof criticalScopes)[number]

/**
 * The permissions that a person needs to do the same with a session. A person who is not an administrator
 * cannot grant a scope, or create a key, beyond their own permissions.
 */
export const scopePermissions: Record<Scope, readonly Permission[]> = {
  'studio:assets:read': ['STUDIO_VIEW'],
  'chat:events:subscribe': ['CHAT_USE'],
  'chat:messages:view': ['CHAT_USE'],
  'chat:messages:send': ['CHAT_USE'],
  'chat:channels:create': ['CHAT_CHANNELS_CREATE'],
  'chat:channels:manage': ['CHAT_CHANNELS_EDIT'],
  'chat:members:manage': ['CHAT_MEMBERS_ADD', 'CHAT_MEMBERS_REMOVE'],
  'chat:agents:manage': ['CHAT_APPLICATIONS_MANAGE'],
  // an application reports only its own errors, so registering the application is enough
  'analytics:errors:write': ['INTEGRATIONS_MANAGE'],
  'analytics:errors:read': ['ERROR_REPORTS_MANAGE'],
  'crm:budgets:signatures:read': ['CRM_VIEW'],
  'crm:budgets:signatures:verify': ['CRM_VIEW'],
  'crm:leads:read': ['CRM_VIEW'],
  'crm:leads:write': ['CRM_EDIT'],
  'crm:leads:convert': ['CRM_EDIT'],
  'crm:leads:read:scoring': ['CRM_VIEW'],
  'crm:leads:read:notes': ['CRM_NOTES'],
  'crm:invoices:read': ['BILLING_VIEW'],
  'crm:invoices:send': ['BILLING_EDIT'],
  'crm:invoices:write': ['BILLING_EDIT'],
  'billing:refund': ['BILLING_REFUND'],
  'billing:charge': ['BILLING_EDIT'],
}

/** Parts of the product that a plan includes. */
export const modules = ['studio', 'integrations', 'crm', 'finance', 'card_payments'] as const
export type Module = (typeof modules)[number]

/** Abilities inside a module that only some plans include. */
export const capabilities = ['crm.leads', 'finance.direct_debit'] as const
export type Capability = (typeof capabilities)[number]

/** Features that an organization enables for itself. */
export const features = ['marketplace'] as const
export type Feature = (typeof features)[number]

export const plans = ['FREE', 'TEAM', 'BUSINESS', 'ENTERPRISE'] as const
export type Plan = (typeof plans)[number]

/** The modules and capabilities of each plan. An operator can override it for one organization. */
export const planIncludes: Record<Plan, { modules: Module[]; capabilities: Capability[] }> = {
  FREE: { modules: ['studio'], capabilities: [] },
  TEAM: { modules: ['studio', 'integrations', 'crm'], capabilities: [] },
  BUSINESS: { modules: ['studio', 'integrations', 'crm', 'finance'], capabilities: ['crm.leads'] },
  ENTERPRISE: { modules: [...modules], capabilities: [...capabilities] },
}
