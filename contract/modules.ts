import * as billingAuthorizations from './billing/authorizations.ts'
import * as billingBudgets from './billing/budgets.ts'
import * as billingCardPage from './billing/card-page.ts'
import * as billingCharges from './billing/charges.ts'
import * as billingConsent from './billing/consent.ts'
import * as billingDirectDebits from './billing/direct-debits.ts'
import * as billingExternalUsers from './billing/external-users.ts'
import * as billingGateway from './billing/gateway.ts'
import * as billingInvoice from './billing/invoice.ts'
import * as billingInvoices from './billing/invoices.ts'
import * as billingLedger from './billing/ledger.ts'
import * as billingLinks from './billing/links.ts'
import * as billingMovements from './billing/movements.ts'
import * as billingPayPage from './billing/pay-page.ts'
import * as billingPayments from './billing/payments.ts'
import * as billingPortal from './billing/portal.ts'
import * as billingReconciliation from './billing/reconciliation.ts'
import * as billingRefunds from './billing/refunds.ts'
import * as billingReminders from './billing/reminders.ts'
import * as billingSending from './billing/sending.ts'
import * as billingSettings from './billing/settings.ts'
import * as billingShapes from './billing/shapes.ts'
import * as billingSummary from './billing/summary.ts'
import * as billingTaxRecords from './billing/tax-records.ts'
import * as billingTemplates from './billing/templates.ts'
import * as chatAgents from './chat/agents.ts'
import * as chatApplicationAgents from './chat/application-agents.ts'
import * as chatApplicationChannels from './chat/application-channels.ts'
import * as chatApplicationMessages from './chat/application-messages.ts'
import * as chatChannels from './chat/channels.ts'
import * as chatDrafts from './chat/drafts.ts'
import * as chatFiles from './chat/files.ts'
import * as chatGrants from './chat/grants.ts'
import * as chatMembers from './chat/members.ts'
import * as chatMessages from './chat/messages.ts'
import * as chatShapes from './chat/shapes.ts'
import * as chatStream from './chat/stream.ts'
import * as crmBudgets from './crm/budgets.ts'
import * as crmClientImports from './crm/client-imports.ts'
import * as crmClients from './crm/clients.ts'
import * as crmContacts from './crm/contacts.ts'
import * as crmCsvImports from './crm/csv-imports.ts'
import * as crmIssuer from './crm/issuer.ts'
import * as crmLeadImports from './crm/lead-imports.ts'
import * as crmLeadMoves from './crm/lead-moves.ts'
import * as crmLeadSyncStatus from './crm/lead-sync-status.ts'
import * as crmLeadValues from './crm/lead-values.ts'
import * as crmLeads from './crm/leads.ts'
import * as crmLetterhead from './crm/letterhead.ts'
import * as crmOpportunities from './crm/opportunities.ts'
import * as crmPortal from './crm/portal.ts'
import * as crmPortalAccess from './crm/portal-access.ts'
import * as crmSeals from './crm/seals.ts'
import * as crmSettings from './crm/settings.ts'
import * as crmShapes from './crm/shapes.ts'
import * as crmSignatureRequests from './crm/signature-requests.ts'
import * as crmSignatures from './crm/signatures.ts'
import * as crmSigningLinks from './crm/signing-links.ts'
import * as crmSigningPage from './crm/signing-page.ts'
import * as crmTeam from './crm/team.ts'
import * as crmTimeStamps from './crm/time-stamps.ts'
import * as crmVerifyPage from './crm/verify-page.ts'
import * as errorReportsErrors from './error-reports/errors.ts'
import * as errorReportsSecretNames from './error-reports/secret-names.ts'
import * as errorReportsTab from './error-reports/tab.ts'
import * as errorReportsTickets from './error-reports/tickets.ts'
import * as identityAuditLog from './identity/audit-log.ts'
import * as identityHealth from './identity/health.ts'
import * as identityInbox from './identity/inbox.ts'
import * as identityInvitations from './identity/invitations.ts'
import * as identityOperator from './identity/operator.ts'
import * as identityOrganization from './identity/organization.ts'
import * as identityOverview from './identity/overview.ts'
import * as identityPeople from './identity/people.ts'
import * as identityPersonalTokens from './identity/personal-tokens.ts'
import * as identityPreferences from './identity/preferences.ts'
import * as identityProvisioning from './identity/provisioning.ts'
import * as identityRoles from './identity/roles.ts'
import * as identitySessions from './identity/sessions.ts'
import * as identitySignIn from './identity/sign-in.ts'
import * as identityStream from './identity/stream.ts'
import * as identityUnits from './identity/units.ts'
import * as identityViews from './identity/views.ts'
import * as integrationsApplications from './integrations/applications.ts'
import * as integrationsCatalogue from './integrations/catalogue.ts'
import * as integrationsCriticalScopes from './integrations/critical-scopes.ts'
import * as integrationsDeliveries from './integrations/deliveries.ts'
import * as integrationsKeys from './integrations/keys.ts'
import * as integrationsRecoveries from './integrations/recoveries.ts'
import * as integrationsWebhook from './integrations/webhook.ts'
import * as marketplaceEntries from './marketplace/entries.ts'
import * as marketplaceInstalls from './marketplace/installs.ts'
import * as marketplaceProvenance from './marketplace/provenance.ts'
import * as marketplaceReviewQueue from './marketplace/review-queue.ts'
import * as marketplaceReviews from './marketplace/reviews.ts'
import * as marketplaceStream from './marketplace/stream.ts'
import * as shapes from './shapes.ts'
import * as studioAssets from './studio/assets.ts'
import * as studioCollections from './studio/collections.ts'
import * as studioFiles from './studio/files.ts'
import * as studioLifecycle from './studio/lifecycle.ts'
import * as studioLinks from './studio/links.ts'
import * as studioPackages from './studio/packages.ts'
import * as studioShares from './studio/shares.ts'
import * as studioStream from './studio/stream.ts'
import * as studioTools from './studio/tools.ts'
import * as studioUses from './studio/uses.ts'
import * as studioVersions from './studio/versions.ts'

/**
 * Every module of the contract that exports operations or schemas. OpenAPI takes the names from the consts:
 * the const `listAssets` is the operation `listAssets`, the const `Asset` is the schema `Asset`.
 */
export const contractModules: readonly Readonly<Record<string, unknown>>[] = [
  billingAuthorizations,
  billingBudgets,
  billingCardPage,
  billingCharges,
  billingConsent,
  billingDirectDebits,
  billingExternalUsers,
  billingGateway,
  billingInvoice,
  billingInvoices,
  billingLedger,
  billingLinks,
  billingMovements,
  billingPayPage,
  billingPayments,
  billingPortal,
  billingReconciliation,
  billingRefunds,
  billingReminders,
  billingSending,
  billingSettings,
  billingShapes,
  billingSummary,
  billingTaxRecords,
  billingTemplates,
  chatAgents,
  chatApplicationAgents,
  chatApplicationChannels,
  chatApplicationMessages,
  chatChannels,
  chatDrafts,
  chatFiles,
  chatGrants,
  chatMembers,
  chatMessages,
  chatShapes,
  chatStream,
  crmBudgets,
  crmClientImports,
  crmClients,
  crmContacts,
  crmCsvImports,
  crmIssuer,
  crmLetterhead,
  crmLeadImports,
  crmLeadMoves,
  crmLeadSyncStatus,
  crmLeadValues,
  crmLeads,
  crmOpportunities,
  crmPortal,
  crmPortalAccess,
  crmSeals,
  crmSettings,
  crmShapes,
  crmSignatureRequests,
  crmSignatures,
  crmSigningLinks,
  crmSigningPage,
  crmTeam,
  crmTimeStamps,
  crmVerifyPage,
  errorReportsErrors,
  errorReportsSecretNames,
  errorReportsTab,
  errorReportsTickets,
  identityAuditLog,
  identityHealth,
  identityInbox,
  identityInvitations,
  identityOperator,
  identityOrganization,
  identityOverview,
  identityPeople,
  identityPersonalTokens,
  identityPreferences,
  identityProvisioning,
  identityRoles,
  identitySessions,
  identitySignIn,
  identityStream,
  identityUnits,
  identityViews,
  integrationsApplications,
  integrationsCatalogue,
  integrationsCriticalScopes,
  integrationsDeliveries,
  integrationsKeys,
  integrationsRecoveries,
  integrationsWebhook,
  marketplaceReviewQueue,
  marketplaceEntries,
  marketplaceInstalls,
  marketplaceProvenance,
  marketplaceReviews,
  marketplaceStream,
  studioAssets,
  studioCollections,
  studioFiles,
  studioLifecycle,
  studioLinks,
  studioPackages,
  studioShares,
  studioStream,
  studioTools,
  studioUses,
  studioVersions,
  shapes,
]
