import type { ServedOperation } from '#platform/http/operation.ts'
import { agentOperations } from './agents/agent.routes.ts'
import { applicationChannelOperations } from './application-channels/application-channel.routes.ts'
import { channelOperations } from './channels/channel.routes.ts'
import { draftOperations } from './drafts/draft.routes.ts'
import { fileOperations } from './files/file.routes.ts'
import { grantOperations } from './grants/grant.routes.ts'
import { memberOperations } from './members/member.routes.ts'
import { messageOperations } from './messages/message.routes.ts'

export const chatRoutes: ServedOperation[] = [
  ...channelOperations,
  ...memberOperations,
  ...messageOperations,
  ...draftOperations,
  ...fileOperations,
  ...grantOperations,
  ...applicationChannelOperations,
  ...agentOperations,
]
