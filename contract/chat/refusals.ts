import type { Refusals } from '../refusal.ts'

/** Error codes of chat; see contract/errors.ts. */
export const chatRefusals = {
  CHANNEL_NOT_FOUND: { status: 404, text: 'The channel does not exist, or you are not a member of it.' },
  MESSAGE_NOT_FOUND: { status: 404, text: 'The message does not exist, or you may not read it.' },
  APP_NOT_AUTHORIZED_IN_CHANNEL: {
    status: 403,
    text: 'The application is not authorized to do this in the channel. Ask an administrator of the channel to change its grant.',
  },
  CHANNEL_ROLE_REQUIRED: {
    status: 403,
    text: 'Only an owner or administrator of the channel may do this.',
  },
  JOIN_CHANNEL_FIRST: {
    status: 403,
    text: 'You are not in the channel. Join it first: an application can read only the messages that you can read.',
  },
  CHANNEL_NOT_GOVERNED: {
    status: 409,
    text: 'Only channels and groups can be managed; direct and portal conversations cannot.',
  },
  CHANNEL_ARCHIVED: {
    status: 409,
    text: 'The channel is archived and read-only. An administrator of the channel can unarchive it.',
  },
  CHANNEL_MEMBER_NOT_FOUND: { status: 404, text: 'This person is not a member of the channel.' },
  CHANNEL_MEMBER_EXISTS: { status: 409, text: 'This person is already in the channel.' },
  CHANNEL_NEEDS_OWNER: {
    status: 409,
    text: 'The channel would have no owner. Make another member owner first.',
  },
  NOT_THE_AUTHOR: { status: 403, text: 'Only the author of the message may do this.' },
  GRANT_NOT_FOUND: { status: 404, text: 'The application has no grant in this channel.' },
  AGENT_NOT_FOUND: { status: 404, text: 'The agent does not exist, or you may not see it.' },
  AGENT_NOT_PENDING: { status: 409, text: 'The agent is not waiting for approval.' },
  AGENT_NOT_ACTIVE: {
    status: 409,
    text: 'The agent is not active: it must be approved, or resumed if it is paused.',
  },
  AGENT_NOT_PAUSED: { status: 409, text: 'The agent is not paused.' },
  AGENT_BUDGET_EXCEEDED: {
    status: 409,
    text: 'The agents of this application have exceeded their spending cap for this month. Raise the cap first.',
  },
  AGENT_TASK_NOT_FOUND: { status: 404, text: 'The agent has no such task.' },
  TOO_MANY_IN_CHANNEL: {
    status: 409,
    text: 'The maximum number is reached. Remove one first. The API documentation lists the limits.',
  },
  TOO_MANY_DRAFTS: { status: 409, text: 'You have the maximum number of drafts. Send or delete one first.' },
  CHAT_STORAGE_FULL: {
    status: 413,
    text: 'The files of this organization in chat would exceed the limit. Delete files of messages first.',
  },
} as const satisfies Refusals
