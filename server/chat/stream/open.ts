import { openChatStream } from '#contract/chat/stream.ts'
import { eventStream } from '#platform/http/event-stream.ts'
import { chatAudience } from './audience.ts'

/** The stream of what happens in the channels of a person. */
export const openStream = eventStream(openChatStream, { stream: 'chat', audience: chatAudience })
