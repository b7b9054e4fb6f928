import { expect, test } from 'vitest'
import { applicationEvents } from '#contract/integrations/event-list.ts'
import { eventTexts } from './event.words.ts'
import {
  conditionOf,
  eventGroupsOf,
  hostOf,
  secretRotationOf,
  type WebhookHealth,
  type WebhookSecret,
} from './webhook.rules.ts'

const at = '2026-11-22T12:00:00.000Z'

test('every event of the contract is in one group and has words', () => {
  const grouped = eventGroupsOf(applicationEvents).flatMap(({ events }) => events)
  expect(grouped).toHaveLength(applicationEvents.length)
  expect(new Set(grouped).size).toBe(applicationEvents.length)
  for (const { event } of applicationEvents) expect(eventTexts.es[event]).not.toBe(eventTexts.en[event])
  expect(eventGroupsOf([{ event: 'LEAD_CREATED' }]).map(({ id }) => id)).toEqual(['crm'])
})

test('the condition of a webhook: paused, failing, waiting, working or unused', () => {
  const health: WebhookHealth = {
    status: 'ACTIVE',
    heldReason: null,
    heldAt: null,
    lastDeliveredAt: at,
    failingSince: null,
    failedInRow: 0,
    goneAt: null,
    waiting: 0,
    oldestDueAt: null,
    last24Hours: { delivered: 3, failed: 0 },
    lastFailure: null,
  }
  expect(conditionOf(health)).toBe('working')
  expect(conditionOf({ ...health, waiting: 2 })).toBe('waiting')
  expect(conditionOf({ ...health, lastDeliveredAt: null })).toBe('unused')
  expect(conditionOf({ ...health, failingSince: at, waiting: 2 })).toBe('failing')
  expect(conditionOf({ ...health, failingSince: at, status: 'HELD', heldReason: 'FAILING' })).toBe(
    'pausedForFailing',
  )
  expect(conditionOf({ ...health, status: 'HELD', heldReason: 'PERSON' })).toBe('paused')
})

test('the change of a secret goes from prepare to activate to retire (WHK-13)', () => {
  const secret = (state: WebhookSecret['state']): WebhookSecret => ({
    id: state,
    state,
    createdAt: at,
    stateSince: at,
  })
  const [current, prepared, retiring] = [secret('CURRENT'), secret('PREPARED'), secret('RETIRING')]
  expect(secretRotationOf([current, secret('RETIRED')])).toMatchObject({ step: 'prepare', current })
  expect(secretRotationOf([prepared, current])).toMatchObject({ step: 'activate', prepared, current })
  expect(secretRotationOf([current, retiring])).toMatchObject({ step: 'retire', retiring })
  // a third one: activating it retires the oldest
  expect(secretRotationOf([prepared, current, retiring]).step).toBe('activate')
})

test('a receiver is named by its host', () => {
  expect(hostOf('https://shop.example:8443/hooks/patio?x=1')).toBe('shop.example:8443')
  expect(hostOf('not a URL')).toBe('not a URL')
})
