import { openChatStream } from '#contract/chat/stream.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { assertAllowed } from '#platform/admit.ts'
import type { StreamKind } from '#platform/relay/hub.ts'
import { streams } from '#platform/serve.ts'
import { chatAudience } from './audience.ts'

const chat: StreamKind = { stream: 'chat', audience: chatAudience }

/** The stream of what happens in the channels of a person. */
export const openStream = streams(openChatStream, ({ caller, query, request, reply, world }) => {
  // a browser sends the header on its own reconnects, when the address still says where it first began
  const header = request.headers['last-event-id']
  const lastEventId = typeof header === 'string' ? header : query.lastEventId
  return world.hub.open({
    kind: chat,
    caller,
    request,
    reply,
    lastEventId,
    assertAllowed: now => assertAllowed(now, 'people', openChatStream as Endpoint),
  })
})
