import { openChatStream } from '#contract/chat/stream.ts'
import { eventStream } from '#platform/http/event-stream.ts'
import { chatAudience } from './audience.ts'

export const openStream = eventStream(openChatStream, { stream: 'chat', audience: chatAudience })
