import { deletion, maxChunks, notificationMs, untilIdle } from '#platform/jobs/job.ts'
import type { BackgroundWork } from '#server/area.ts'
import { expireProposals } from './agents/agent-expiry.sql.ts'
import { channelRecipientsResolver } from './event-recipients/recipients-resolver.ts'
import { deleteWaitingFiles } from './files/waiting-files.sql.ts'

export const chatWork: BackgroundWork = {
  name: 'chat',
  jobs: ({ database }) => [
    {
      // each is announced once, however many workers run
      name: 'expire proposals',
      everyMs: notificationMs,
      run: isClosing => untilIdle(isClosing, () => expireProposals(database), maxChunks),
    },
    deletion('delete unposted files', () => deleteWaitingFiles(database)),
  ],
  recipients: channelRecipientsResolver,
}
