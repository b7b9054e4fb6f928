import type { Served } from '#platform/serve.ts'
import { agentOperations } from './agents/operations.ts'
import { applicationChannelOperations } from './application-channels/operations.ts'
import { channelOperations } from './channels/operations.ts'
import { grantOperations } from './grants/operations.ts'
import { memberOperations } from './members/operations.ts'
import { messageOperations } from './messages/operations.ts'

/** Every operation of chat: of applications and of people. */
export const chatRoutes: Served[] = [
  ...channelOperations,
  ...memberOperations,
  ...messageOperations,
  ...grantOperations,
  ...applicationChannelOperations,
  ...agentOperations,
]
