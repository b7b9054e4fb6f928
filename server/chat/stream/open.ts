import { openChatStream } from '#contract/chat/stream.ts'
import type { StreamKind } from '#platform/events/sse-broker.ts'
import { eventStream } from '#platform/http/event-stream.ts'
import { chatAudience } from './audience.ts'

export const chatStreamKind: StreamKind = { stream: 'chat', audience: chatAudience }
export const openStream = eventStream(openChatStream, chatStreamKind)
