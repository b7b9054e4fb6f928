import { readLeadSyncStatus } from '#contract/crm/lead-sync-status.ts'
import { query } from '#platform/http/operation.ts'
import { leadSyncStatus } from './lead-sync-reader.sql.ts'

/** Returns how far each application has read the changes of leads (SYNC-12). */
export const syncStatus = query(readLeadSyncStatus, ({ db }) => leadSyncStatus(db))
