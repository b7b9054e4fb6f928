import type { BenchEnvironment } from '../environment.ts'
import type { Figure } from '../report.ts'
import { applicationKey } from './application-key.ts'
import { backup } from './backup.ts'
import { charge } from './charges.ts'
import { chatHistory, chatNotices, chatPublish, chatRead } from './chat.ts'
import { cluster } from './cluster.ts'
import { commitToStream } from './commit-to-stream.ts'
import { dashboard, dashboardBuild } from './dashboard.ts'
import { errors } from './errors.ts'
import { fanOut } from './fan-out.ts'
import { files } from './files.ts'
import { install } from './install.ts'
import { invoicePdf, markPaid } from './invoices.ts'
import { leadByEmail, leadCreate, leadList, leadRead, leadSearch, leadSync, leadSyncFlat } from './leads.ts'
import { catalogue } from './lists.ts'
import { market } from './market.ts'
import { otherTenant } from './other-tenant.ts'
import { packages } from './packages.ts'
import { memory, startUp } from './processes.ts'
import { referencePage } from './reference-page.ts'
import { relayLeases } from './relay-leases.ts'
import { create, read, thumbs, use } from './requests.ts'
import { searchAccess, shares } from './shares.ts'
import { signals } from './signals.ts'
import { verifySignature2, verifySignature3 } from './signatures.ts'
import { versions } from './versions.ts'
import { webhooks, webhooksIsolated } from './webhooks.ts'
import { webhooksHeld, webhooksLate } from './webhooks-late.ts'

/** The rows by name, in the order in which they run. */
export const rows: Record<string, (environment: BenchEnvironment) => Promise<Figure[]>> = {
  read,
  catalogue,
  shares,
  'search-access': searchAccess,
  versions,
  market,
  install,
  create,
  use,
  thumbs,
  'fan-out': fanOut,
  'commit-to-stream': commitToStream,
  webhooks,
  'webhooks-isolated': webhooksIsolated,
  'webhooks-late': webhooksLate,
  'webhooks-held': webhooksHeld,
  'relay-leases': relayLeases,
  signals,
  cluster,
  files,
  packages,
  'other-tenant': otherTenant,
  'application-key': applicationKey,
  'chat-publish': chatPublish,
  'chat-notices': chatNotices,
  'chat-read': chatRead,
  'chat-history': chatHistory,
  errors,
  'lead-read': leadRead,
  'lead-list': leadList,
  'lead-search': leadSearch,
  'lead-create': leadCreate,
  'lead-sync': leadSync,
  'lead-sync-flat': leadSyncFlat,
  'lead-by-email': leadByEmail,
  'signature-verify-2': verifySignature2,
  'signature-verify-3': verifySignature3,
  charge,
  'mark-paid': markPaid,
  'invoice-pdf': invoicePdf,
  'reference-page': referencePage,
  dashboard,
  'dashboard-build': dashboardBuild,
  backup,
  memory,
  start: startUp,
}
