import type { Refusals } from '../refusal.ts'

/** The refusals of chat; see contract/errors.ts. */
export const chatRefusals = {
  CHANNEL_NOT_FOUND: { status: 404, text: 'There is no such channel, or you are not in it.' },
  MESSAGE_NOT_FOUND: { status: 404, text: 'There is no such message, or you may not see it.' },
  APP_NOT_AUTHORIZED_IN_CHANNEL: {
    status: 403,
    text: 'The application is not authorized to do this in the channel. Ask an administrator of the channel.',
  },
  CHANNEL_ROLE_REQUIRED: {
    status: 403,
    text: 'Only an owner or administrator of the channel may do this.',
  },
  JOIN_CHANNEL_FIRST: {
    status: 403,
    text: 'You are not in the channel: join it first. An application reads there only what you may read yourself.',
  },
  CHANNEL_NOT_GOVERNED: { status: 409, text: 'Only channels and groups can be changed in this way.' },
  CHANNEL_ARCHIVED: { status: 409, text: 'The channel is archived: it can be read and nothing else.' },
  CHANNEL_MEMBER_NOT_FOUND: { status: 404, text: 'There is no such member in this channel.' },
  CHANNEL_MEMBER_EXISTS: { status: 409, text: 'This person is in the channel already.' },
  CHANNEL_NEEDS_OWNER: { status: 409, text: 'A channel needs an owner. Make somebody else owner first.' },
  NOT_THE_AUTHOR: { status: 403, text: 'Only the author may do this.' },
  GRANT_NOT_FOUND: { status: 404, text: 'The application has no grant in this channel.' },
  AGENT_NOT_FOUND: { status: 404, text: 'There is no such agent.' },
  AGENT_NOT_PENDING: { status: 409, text: 'The agent does not await approval.' },
  AGENT_NOT_ACTIVE: { status: 409, text: 'The agent is not active: it has to be approved, or is paused.' },
  AGENT_NOT_PAUSED: { status: 409, text: 'The agent is not paused.' },
  AGENT_BUDGET_EXCEEDED: {
    status: 409,
    text: 'The agents of this application have cost more than they may this month. Raise the cap first.',
  },
  AGENT_TASK_NOT_FOUND: { status: 404, text: 'The agent has no such task.' },
  TOO_MANY_IN_CHANNEL: { status: 409, text: 'There are as many of these as there can be.' },
} as const satisfies Refusals
