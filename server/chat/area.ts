import { openChatStream } from '#contract/chat/stream.ts'
import type { Area } from '#server/area.ts'
import { chatMembershipListener } from './channel-access/membership-listener.ts'
import { seedChat } from './demo.ts'
import { channelRecipientsResolver } from './event-recipients/recipients-resolver.ts'
import { chatInbox } from './inbox.sql.ts'
import { chatOverview } from './overview.sql.ts'
import { chatRoutes } from './routes.ts'
import { chatStreamKind } from './stream/open.ts'

export const chatArea: Area = {
  name: 'chat',
  operations: chatRoutes,
  streams: [{ kind: chatStreamKind, contract: openChatStream }],
  inbox: chatInbox,
  overview: chatOverview,
  membershipListener: chatMembershipListener,
  recipients: channelRecipientsResolver,
  seed: () => seedChat,
}
