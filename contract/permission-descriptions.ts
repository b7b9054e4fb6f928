import type { Capability, Module, Permission, Scope } from './permissions.ts'

/** The meaning of each permission. */
export const permissionDescriptions: Readonly<Record<Permission, string>> = {
  STUDIO_VIEW: 'List and read assets, record uses and reactions, read the catalogue stream',
  STUDIO_CREATE: 'Create and duplicate assets',
  STUDIO_EDIT: 'Change assets',
  STUDIO_DELETE: 'Delete assets',
  STUDIO_PUBLISH: 'Publish the active version of an asset',
  STUDIO_VERIFY: 'Mark a version as verified',
  STUDIO_SHARE: 'Share an asset with people and groups',
  STUDIO_MARKETPLACE_VIEW: 'Read the marketplace, report entries and mark reviews as helpful',
  STUDIO_MARKETPLACE_INSTALL: 'Install an entry of the marketplace',
  STUDIO_MARKETPLACE_SUBMIT: 'Submit own assets to the marketplace, change and withdraw own entries',
  STUDIO_MARKETPLACE_REVIEW: 'Write, change and delete own reviews',
  ORG_MANAGE: 'Manage the organization, its members, roles and units, and read the audit log',
  INTEGRATIONS_MANAGE: 'Manage applications, API keys, webhooks and budgets of agents',
  CHAT_USE: 'Read and write messages in own channels',
  CHAT_CHANNELS_CREATE: 'Create channels',
  CHAT_CHANNELS_EDIT: 'Change and archive channels',
  CHAT_MEMBERS_ADD: 'Add people to a channel',
  CHAT_MEMBERS_REMOVE: 'Remove people from a channel',
  CHAT_APPLICATIONS_MANAGE: 'Grant applications access to channels, approve and reject agents',
  ERROR_REPORTS_MANAGE: 'Read reported errors, manage their tickets and the names of secret fields',
  CRM_VIEW: 'Read leads, clients and budgets',
  CRM_EDIT: 'Change leads, clients and budgets',
  CRM_NOTES: 'Read and write the notes of leads',
  CRM_ERASE: 'Erase personal data',
  BILLING_VIEW: 'Read invoices',
  BILLING_EDIT: 'Create, change, issue, send and charge invoices',
  BILLING_REFUND: 'Refund a payment through the gateway',
  BILLING_REVERSE: 'Reverse a recorded payment',
}

/** The meaning of each scope. */
export const scopeDescriptions: Readonly<Record<Scope, string>> = {
  'studio:assets:read': 'Read assets',
  'chat:events:subscribe': 'Receive chat events by webhook',
  'chat:messages:view': 'Read messages in granted channels',
  'chat:messages:send': 'Post messages in granted channels',
  'chat:channels:create': 'Create channels',
  'chat:channels:manage': 'Change and archive granted channels',
  'chat:members:manage': 'Add and remove members of granted channels',
  'chat:agents:manage': 'Propose agents and report their executions',
  'analytics:errors:write': 'Report own errors',
  'analytics:errors:read': 'Read own reported errors',
  'crm:budgets:signatures:read': 'Read signatures of budgets',
  'crm:budgets:signatures:verify': 'Verify signatures of budgets',
  'crm:leads:read': 'Read leads, without scores and notes',
  'crm:leads:write': 'Create and change leads',
  'crm:leads:convert': 'Convert leads to clients',
  'crm:leads:read:scoring': 'Read the scores of leads',
  'crm:leads:read:notes': 'Read the notes of leads',
  'crm:invoices:read': 'Read invoices',
  'crm:invoices:send': 'Send invoices by mail',
  'crm:invoices:write': 'Change invoices and record payments',
  'billing:refund': 'Refund payments',
  'billing:charge': 'Charge saved payment methods',
}

/** The content of each module of a plan. */
export const moduleDescriptions: Readonly<Record<Module, string>> = {
  studio: 'Assets, collections, the marketplace and tools',
  integrations: 'External applications, webhooks, chat access and error reports',
  crm: 'Leads, clients, budgets and signatures',
  finance: 'Invoices and payments',
  card_payments: 'Card payments through a gateway',
}

/** The content of each capability of a plan. */
export const capabilityDescriptions: Readonly<Record<Capability, string>> = {
  'crm.leads': 'Leads',
  'finance.direct_debit':
    'Charges under an authorization, without the payer, and direct debits under a mandate',
}
