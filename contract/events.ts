import type { Static } from 'typebox'
import { billingEvents } from './billing/events.ts'
import { chatNotices, chatStream } from './chat/events.ts'
import { budgetEvents } from './crm/budget-events.ts'
import { leadEvents } from './crm/lead-events.ts'
import { errorEvents } from './error-reports/events.ts'
import { webhookEvents } from './integrations/events.ts'
import { marketplaceEvents } from './marketplace/events.ts'
import { studioEvents } from './studio/events.ts'

export type { Audience, ForApplications } from './event.ts'

/**
 * Streams that all organizations share. Their events are numbered in one room, which has the name of the stream; what
 * leaves it carries nothing of the organization or the person that an event comes from.
 */
export const sharedStreams = ['marketplace'] as const

/** Every event: its internal name, the frame name on the stream, who hears it and what it carries. */
export const events = {
  ...studioEvents,
  ...marketplaceEvents,
  ...errorEvents,
  ...chatStream,
  ...chatNotices,
  ...leadEvents,
  ...budgetEvents,
  ...billingEvents,
  ...webhookEvents,
} as const

export type EventName = keyof typeof events
export type EventData<Name extends EventName> = Static<(typeof events)[Name]['data']>
