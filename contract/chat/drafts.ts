import type { Static } from 'typebox'
import { limits } from '../limits.ts'
import { operation } from '../operation.ts'
import { Id, Nullable, Text, Time } from '../shapes.ts'
import { Type } from '../type.ts'

const area = 'chat'
const auth = { session: { permission: 'CHAT_USE' } } as const
const parentMessageId = Type.Optional(Id)

/** Text that a person has not sent yet, in a channel or in a thread of it. */
export const Draft = Type.Object({
  channelId: Id,
  parentMessageId: Nullable(Type.String({ description: 'The message that started the thread' })),
  content: Type.String({ description: 'Empty when there is no draft' }),
  updatedAt: Nullable(Time),
})
export type Draft = Static<typeof Draft>

/** Keeps MSG-16. */
export const readDraft = operation('GET /channels/:id/draft', {
  area,
  summary: "Retrieve the caller's draft in a channel or a thread",
  description: 'With `parentMessageId`, the draft of a reply in the thread of that message.',
  auth,
  params: { id: Id },
  query: { parentMessageId },
  reply: Draft,
  errors: ['CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
})

/** Keeps MSG-16 and MSG-17. */
export const saveDraft = operation('PUT /channels/:id/draft', {
  area,
  summary: 'Save a draft in a channel or a thread',
  description:
    'Replaces the draft of the caller there. Only the caller can read it, on every device. Posting a message does not delete it.',
  auth,
  params: { id: Id },
  body: { content: Text(limits.messageContent, 1), parentMessageId },
  reply: Draft,
  errors: ['CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND', 'TOO_MANY_DRAFTS'],
})

/** Keeps MSG-16. */
export const deleteDraft = operation('DELETE /channels/:id/draft', {
  area,
  summary: 'Delete a draft in a channel or a thread',
  description: 'Changes nothing if there is no draft.',
  auth,
  params: { id: Id },
  query: { parentMessageId },
  errors: ['CHANNEL_NOT_FOUND', 'MESSAGE_NOT_FOUND'],
})

/** Keeps MSG-16. */
export const listDrafts = operation('GET /drafts', {
  area,
  summary: 'List the drafts of the caller, newest first',
  description: `In all channels of the caller, at most ${limits.draftsPerPerson}.`,
  auth,
  reply: Type.Object({ items: Type.Array(Draft) }),
})
