import type { Static } from 'typebox'
import { billingEvents } from './billing/events.ts'
import { chatApplicationEvents, chatStreamEvents } from './chat/events.ts'
import { budgetEvents } from './crm/budget-events.ts'
import { leadEvents } from './crm/lead-events.ts'
import { errorEvents } from './error-reports/events.ts'
import { webhookEvents } from './integrations/events.ts'
import { marketplaceEvents } from './marketplace/events.ts'
import { peopleEvents } from './people-events.ts'
import { studioEvents } from './studio/events.ts'

export type { Audience, ForApplications } from './event.ts'

/**
 * Streams that all organizations share. Their events are numbered in one topic with the name of the stream,
 * and carry nothing about the organization or person that they come from.
 */
export const sharedStreams = ['marketplace'] as const

/** Every event: its internal name, its frame name on the stream, its audience and its data. */
export const events = {
  ...studioEvents,
  ...marketplaceEvents,
  ...errorEvents,
  ...chatStreamEvents,
  ...chatApplicationEvents,
  ...leadEvents,
  ...budgetEvents,
  ...billingEvents,
  ...webhookEvents,
  ...peopleEvents,
} as const

export type EventName = keyof typeof events
export type EventData<Name extends EventName> = Static<(typeof events)[Name]['data']>
