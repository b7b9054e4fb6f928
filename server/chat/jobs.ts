import type { Database } from '#platform/data/database.ts'
import { deletion, type Job, maxChunks, notificationMs, untilIdle } from '#platform/jobs/job.ts'
import { expireProposals } from './agents/agent-expiry.sql.ts'
import { deleteWaitingFiles } from './files/waiting-files.sql.ts'

export { channelRecipientsResolver } from './event-recipients/recipients-resolver.ts'
export { importHistory } from './imports/import-history.ts'

export function chatJobs({ database }: { database: Database }): Job[] {
  return [
    {
      // each is announced once, however many workers run
      name: 'expire proposals',
      everyMs: notificationMs,
      run: isClosing => untilIdle(isClosing, () => expireProposals(database), maxChunks),
    },
    deletion('delete unposted files', () => deleteWaitingFiles(database)),
  ]
}
