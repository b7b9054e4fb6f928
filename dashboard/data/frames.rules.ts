import { listAuthorizations } from '#contract/billing/authorizations.ts'
import { listCharges } from '#contract/billing/charges.ts'
import { listInvoices, readInvoice } from '#contract/billing/invoices.ts'
import { listLedger } from '#contract/billing/ledger.ts'
import { listInvoiceLinks, readPublicLink } from '#contract/billing/links.ts'
import { listAllCharges, listAllPayments, listAllRefunds } from '#contract/billing/movements.ts'
import { readReconciliation } from '#contract/billing/reconciliation.ts'
import { listRefunds } from '#contract/billing/refunds.ts'
import { listInvoiceDeliveries } from '#contract/billing/sending.ts'
import { readBillingSummary } from '#contract/billing/summary.ts'
import {
  listAgentExecutions,
  listAgents,
  listChannelAgents,
  readAgent,
  readAgentBudget,
} from '#contract/chat/agents.ts'
import { listGovernedChannels, listOwnChannels, readChannel } from '#contract/chat/channels.ts'
import { listGrants, listPastGrants } from '#contract/chat/grants.ts'
import { listChannelMembers } from '#contract/chat/members.ts'
import {
  listMentions,
  listMessages,
  listOwnThreads,
  listThread,
  readMessage,
} from '#contract/chat/messages.ts'
import { listBudgets, readBudget } from '#contract/crm/budgets.ts'
import { listClientImports, readClientImport } from '#contract/crm/client-imports.ts'
import { listBillingContacts, listClients, readClient } from '#contract/crm/clients.ts'
import { listContacts, readContact } from '#contract/crm/contacts.ts'
import { listLeadImports, readLeadImport } from '#contract/crm/lead-imports.ts'
import { listLeads, readLead, searchLeads } from '#contract/crm/leads.ts'
import { listOpportunities, readOpportunity } from '#contract/crm/opportunities.ts'
import { listPortalAccess } from '#contract/crm/portal-access.ts'
import { readBudgetSeal } from '#contract/crm/seals.ts'
import { listSignatureRequests } from '#contract/crm/signature-requests.ts'
import { listSignatures, verifySignature } from '#contract/crm/signatures.ts'
import { listSigningLinks } from '#contract/crm/signing-links.ts'
import { listLeadHistory } from '#contract/crm/team.ts'
import {
  listErrorGroups,
  listOrganizationErrors,
  readErrorGroup,
  readErrorTab,
} from '#contract/error-reports/tab.ts'
import { listErrorTickets, readErrorTicket } from '#contract/error-reports/tickets.ts'
import { listApplications, readApplication } from '#contract/integrations/applications.ts'
import { listScopeRequests } from '#contract/integrations/critical-scopes.ts'
import { listDeliveries, listOrganizationDeliveries } from '#contract/integrations/deliveries.ts'
import { listKeys } from '#contract/integrations/keys.ts'
import { listWebhookSecrets, readWebhook, readWebhookHealth } from '#contract/integrations/webhook.ts'
import { listEntries, readEntry } from '#contract/marketplace/entries.ts'
import { listEntryInstalls, listInstalls } from '#contract/marketplace/installs.ts'
import { listReviews } from '#contract/marketplace/reviews.ts'
import type { Route } from '#contract/route.ts'
import { listAssets, readAsset, readAssetBySlug } from '#contract/studio/assets.ts'
import { listCollectionAssets, listCollections } from '#contract/studio/collections.ts'
import { listFiles } from '#contract/studio/files.ts'
import { listDeletedAssets } from '#contract/studio/lifecycle.ts'
import { listByEntity, listLinks } from '#contract/studio/links.ts'
import { listShares } from '#contract/studio/shares.ts'
import { listVersions } from '#contract/studio/versions.ts'

/** The data of a frame: ids, and a few numbers that are written into the cache as they are. */
export type FrameData = Readonly<Record<string, unknown>>

/** One effect of a frame on the cache. */
export type FrameEffect =
  /** These reads are no longer true; with `params`, only those of one object. `newIds`: a list has new rows. */
  | {
      kind: 'stale'
      operation: Route
      params?: Readonly<Record<string, string>>
      newIds?: readonly string[]
    }
  /** The frame carries the new values of a row and of its details. */
  | { kind: 'patch'; operations: readonly Route[]; id: string; values: FrameData }
  /** The rights of people changed: also those of the caller, perhaps. */
  | { kind: 'access' }

const text = (value: unknown) => (typeof value === 'string' ? value : '')
const listOf = (value: unknown) => (Array.isArray(value) ? value.filter(id => typeof id === 'string') : [])

function stale(...operations: readonly Route[]): FrameEffect[] {
  return operations.map(operation => ({ kind: 'stale', operation }))
}

/** The details of one object, by the parameter of their paths. */
function staleOf(id: unknown, parameter: string, ...operations: readonly Route[]): FrameEffect[] {
  return operations.map(operation => ({ kind: 'stale', operation, params: { [parameter]: text(id) } }))
}

/** The lists and the details of the objects that a frame of the people's stream names. */
function changed(parameter: string, lists: readonly Route[], details: readonly Route[]) {
  return ({ ids, createdIds }: FrameData): FrameEffect[] => {
    const created = new Set(listOf(createdIds))
    const others = listOf(ids).filter(id => !created.has(id))
    const newRows = created.size > 0 && others.length === 0 ? { newIds: [...created] } : {}
    return [
      ...lists.map(operation => ({ kind: 'stale' as const, operation, ...newRows })),
      ...others.flatMap(id => staleOf(id, parameter, ...details)),
    ]
  }
}

const assetChanged = ({ assetId }: FrameData) => [
  ...staleOf(assetId, 'id', readAsset),
  ...stale(readAssetBySlug, listAssets, listCollectionAssets),
]
/** Further reads that are no longer true when these parts of an asset changed. */
const partsOfAsset: Readonly<Record<string, (assetId: unknown) => FrameEffect[]>> = {
  files: assetId => staleOf(assetId, 'id', listFiles),
  collectionIds: () => stale(listCollections),
  links: assetId => [...staleOf(assetId, 'id', listLinks), ...stale(listByEntity)],
  shares: assetId => staleOf(assetId, 'id', listShares),
}
const entryMoved = ({ entryId }: FrameData) => [...stale(listEntries), ...staleOf(entryId, 'id', readEntry)]
const rated = ({ entryId, ratingAverage, ratingCount }: FrameData): FrameEffect[] => [
  {
    kind: 'patch',
    operations: [listEntries, readEntry],
    id: text(entryId),
    values: { ratingAverage, ratingCount },
  },
  ...staleOf(entryId, 'id', listReviews),
]
const channelChanged = ({ channelId }: FrameData) => [
  ...stale(listOwnChannels, listGovernedChannels),
  ...staleOf(channelId, 'id', readChannel),
]
const membersChanged = (data: FrameData) => [
  ...channelChanged(data),
  // a grant has effect while its grantor is in the channel
  ...staleOf(data.channelId, 'id', listChannelMembers, listGrants),
]
const messageChanged = ({ channelId, messageId, parentMessageId }: FrameData) => [
  ...staleOf(messageId, 'messageId', readMessage),
  ...staleOf(channelId, 'id', listMessages),
  ...(parentMessageId
    ? [...staleOf(parentMessageId, 'messageId', listThread, readMessage), ...stale(listOwnThreads)]
    : []),
]

/** One line for each frame of the stream. A test compares it with the events of the contract. */
export const frameRules: Readonly<Record<string, (data: FrameData) => readonly FrameEffect[]>> = {
  'asset-created': ({ assetId }) => [
    { kind: 'stale', operation: listAssets, newIds: [text(assetId)] },
    { kind: 'stale', operation: listCollectionAssets },
    // it may have been restored
    ...stale(listCollections, listDeletedAssets),
  ],
  'asset-deleted': data => [
    ...assetChanged(data),
    ...stale(listCollections, listDeletedAssets, listByEntity),
  ],
  'asset-updated': data => [
    ...assetChanged(data),
    // somebody may have made another version the active one
    ...staleOf(data.assetId, 'id', listVersions),
    ...listOf(data.changes).flatMap(part => partsOfAsset[part]?.(data.assetId) ?? []),
  ],
  'asset-archived': assetChanged,
  'asset-unarchived': assetChanged,
  'asset-verified': assetChanged,
  'asset-published': data => [...assetChanged(data), ...staleOf(data.assetId, 'id', listVersions)],
  'asset-version-created': ({ assetId }) => staleOf(assetId, 'id', readAsset, listVersions),
  'asset-linked': ({ assetId }) => [...staleOf(assetId, 'id', listLinks), ...stale(listByEntity)],
  'asset-shared': ({ assetId }) => [...staleOf(assetId, 'id', listShares), ...stale(listAssets)],
  'asset-used': ({ assetId, usageCount }) => [
    { kind: 'patch', operations: [listAssets, readAsset], id: text(assetId), values: { usageCount } },
  ],
  'asset-reacted': ({ assetId, thumbsUp, thumbsDown }) => [
    {
      kind: 'patch',
      operations: [listAssets, readAsset],
      id: text(assetId),
      values: { thumbsUp, thumbsDown },
    },
  ],

  'marketplace-featured': entryMoved,
  'marketplace-unfeatured': entryMoved,
  'marketplace-reviewed': rated,
  'marketplace-review-updated': rated,
  'marketplace-review-deleted': rated,
  'marketplace-review-helpful': ({ reviewId, helpfulCount }) => [
    { kind: 'patch', operations: [listReviews], id: text(reviewId), values: { helpfulCount } },
  ],
  'marketplace-under-review': entryMoved,
  'marketplace-approved': entryMoved,
  'marketplace-rejected': entryMoved,
  'marketplace-archived': data => [...entryMoved(data), ...stale(listInstalls)],
  'marketplace-new-version-pending-review': entryMoved,
  'marketplace-installed': ({ entryId, installCount }) => [
    { kind: 'patch', operations: [listEntries, readEntry], id: text(entryId), values: { installCount } },
    // the installer has a copy now, also in other tabs
    ...staleOf(entryId, 'id', readEntry, listEntryInstalls),
    ...stale(listInstalls),
  ],

  'message-created': data => [...messageChanged(data), ...stale(listOwnChannels, listMentions)],
  'message-updated': messageChanged,
  'message-deleted': messageChanged,
  'channel-created': channelChanged,
  'channel-updated': channelChanged,
  'channel-archived': channelChanged,
  'member-added': membersChanged,
  'member-removed': membersChanged,
  'member-changed': membersChanged,
  'application-changed': ({ channelId }) =>
    staleOf(channelId, 'id', listGrants, listPastGrants, listChannelMembers),
  'agent-changed': ({ channelId, agentId }) => [
    // the cap of an application pauses and resumes its agents
    ...stale(listAgents, readAgentBudget),
    ...staleOf(channelId, 'id', listChannelAgents),
    ...staleOf(agentId, 'agentId', readAgent, listAgentExecutions),
  ],
  'read-moved': ({ channelId, readSeq }) => [
    { kind: 'patch', operations: [listOwnChannels, readChannel], id: text(channelId), values: { readSeq } },
    ...stale(listOwnChannels),
  ],
  'notification-changed': channelChanged,

  'lead-changed': changed('id', [listLeads, searchLeads], [readLead, listLeadHistory]),
  'import-moved': changed('id', [listLeadImports, listClientImports], [readLeadImport, readClientImport]),
  'client-changed': changed(
    'id',
    [listClients, listContacts, listPortalAccess],
    [readClient, readContact, listBillingContacts],
  ),
  'opportunity-changed': changed('id', [listOpportunities], [readOpportunity]),
  'budget-changed': data => [
    ...changed(
      'id',
      [listBudgets],
      [readBudget, listSigningLinks, listSignatureRequests, readBudgetSeal],
    )(data),
    ...listOf(data.ids).flatMap(id => staleOf(id, 'budgetId', listSignatures, verifySignature)),
  ],
  'invoice-changed': changed(
    'id',
    [
      listInvoices,
      listLedger,
      listAllPayments,
      listAllCharges,
      listAllRefunds,
      readReconciliation,
      listAuthorizations,
      readBillingSummary,
    ],
    [readInvoice, listCharges, listRefunds, listInvoiceDeliveries, listInvoiceLinks, readPublicLink],
  ),
  'error-changed': data => [
    ...stale(listErrorGroups, listOrganizationErrors, readErrorTab, listErrorTickets),
    ...listOf(data.ids).flatMap(id => [
      ...staleOf(id, 'errorId', readErrorGroup),
      ...staleOf(id, 'ticketId', readErrorTicket),
    ]),
  ],
  // names the applications, so a list that somebody reads says that there are new deliveries, and does not move
  'delivery-failed': ({ ids }) => [
    ...stale(readWebhook, readWebhookHealth),
    ...[listDeliveries, listOrganizationDeliveries].map(operation => ({
      kind: 'stale' as const,
      operation,
      newIds: listOf(ids),
    })),
  ],
  'application-settings-changed': changed(
    'id',
    // a disabled application has no access to its channels, and its budget may change
    [listApplications, listGrants, readAgentBudget, listAgents],
    [readApplication, listKeys, listScopeRequests, readWebhook, listWebhookSecrets],
  ),
  'access-changed': () => [{ kind: 'access' }],
}
