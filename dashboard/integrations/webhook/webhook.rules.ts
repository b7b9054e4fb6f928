import type { ApplicationEventName } from '#contract/integrations/event-examples.ts'
import type { listWebhookSecrets, readWebhookHealth } from '#contract/integrations/webhook.ts'
import type { Reply } from '#contract/route.ts'

export type WebhookHealth = Reply<typeof readWebhookHealth>
export type WebhookSecret = Reply<typeof listWebhookSecrets>['items'][number]

/** The areas of the product in the order of the form, each with what its events begin with. */
const groupPrefixes = {
  crm: ['LEAD_', 'BUDGET_'],
  billing: ['INVOICE_', 'CHARGE_'],
  chat: ['CHAT_'],
  errors: ['ERROR_'],
  server: ['WEBHOOK_TEST', 'RESYNC'],
} as const satisfies Record<string, readonly string[]>
export type EventGroupId = keyof typeof groupPrefixes

/** Sorts events into the areas that they come from; an area without events is left out. */
export function eventGroupsOf<Event extends { event: string }>(
  events: readonly Event[],
): { id: EventGroupId; events: Event[] }[] {
  return (Object.keys(groupPrefixes) as EventGroupId[])
    .map(id => ({
      id,
      events: events.filter(({ event }) => groupPrefixes[id].some(prefix => event.startsWith(prefix))),
    }))
    .filter(group => group.events.length > 0)
}

/** Whether a name is one of the catalogue: a stored webhook may list an event that no longer exists. */
export function isKnownEvent(
  name: string,
  known: Readonly<Record<string, string>>,
): name is ApplicationEventName {
  return name in known
}

/** How a webhook is doing, in one word. */
export function conditionOf({
  status,
  heldReason,
  failingSince,
  waiting,
  lastDeliveredAt,
}: WebhookHealth): 'paused' | 'pausedForFailing' | 'failing' | 'waiting' | 'working' | 'unused' {
  if (status === 'HELD') return heldReason === 'FAILING' ? 'pausedForFailing' : 'paused'
  if (failingSince !== null) return 'failing'
  if (waiting > 0) return 'waiting'
  return lastDeliveredAt === null ? 'unused' : 'working'
}

/** The next step of the change from one secret to another (WHK-13). */
export type SecretRotation = {
  step: 'prepare' | 'activate' | 'retire'
  prepared: WebhookSecret | undefined
  current: WebhookSecret | undefined
  retiring: WebhookSecret | undefined
}

export function secretRotationOf(secrets: readonly WebhookSecret[]): SecretRotation {
  const of = (state: WebhookSecret['state']) => secrets.find(secret => secret.state === state)
  const prepared = of('PREPARED')
  const retiring = of('RETIRING')
  const step = prepared ? 'activate' : retiring ? 'retire' : 'prepare'
  return { step, prepared, current: of('CURRENT'), retiring }
}

/** The host of an address, to name the receiver in a sentence. */
export function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
