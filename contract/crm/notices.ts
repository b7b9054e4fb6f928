import type { EventData } from '../events.ts'
import type { leadEvents } from './events.ts'

const head = {
  leadId: 'cmhz3k8q1l7v2b5n9m4d6f8gh',
  isConverted: false,
  updatedAt: '2026-11-21T20:15:00.000Z',
  changeId: 'cmhz3k8q1h7v2b5n9m4d6f8gh',
  actor: { kind: 'USER', id: 'cmhz3k8q1a1b2c3d4e5f6g7h8' },
  source: null,
} as const

/** When each notice is emitted, with an example of its data (LEVT-2). */
export const leadNotices: {
  [Name in keyof typeof leadEvents]: { when: string; example: EventData<Name> }
} = {
  LEAD_CREATED: {
    when: 'A lead is created',
    example: { ...head, status: 'NEW', createdAt: head.updatedAt, hasEmail: true, hasPhone: false },
  },
  LEAD_UPDATED: {
    when: 'E-mail, status, stage, score or assignee changes',
    example: {
      ...head,
      status: 'QUALIFIED',
      changes: [
        { field: 'status', from: 'NEW', to: 'QUALIFIED' },
        { field: 'email', redacted: true },
      ],
    },
  },
  LEAD_QUALIFIED: {
    when: 'A lead becomes QUALIFIED',
    example: {
      ...head,
      status: 'QUALIFIED',
      previousStatus: 'NEW',
      reason: 'Met at the fair',
      recordedAt: head.updatedAt,
    },
  },
  LEAD_DISQUALIFIED: {
    when: 'A lead becomes LOST',
    example: {
      ...head,
      status: 'LOST',
      previousStatus: 'CONTACTED',
      reason: 'Mail came back',
      recordedAt: head.updatedAt,
    },
  },
  LEAD_CONVERTED: {
    when: 'A lead is converted: isConverted is true, and its status WON',
    example: {
      ...head,
      status: 'WON',
      isConverted: true,
      contactId: 'cmhz3k8q1o7v2b5n9m4d6f8gh',
      opportunityId: null,
      clientId: 'cmhz3k8q1k7v2b5n9m4d6f8gh',
      convertedAt: head.updatedAt,
    },
  },
  LEAD_SCORE_UPDATED: {
    when: 'Score or temperature changes; only for applications with crm:leads:read:scoring',
    example: {
      ...head,
      status: 'NEW',
      score: 80,
      temperature: 'HOT',
      previousScore: 40,
      previousTemperature: 'WARM',
    },
  },
  LEAD_ERASED: {
    when: 'A lead is erased on request of the person',
    example: { ...head, status: 'NEW', erasedAt: head.updatedAt },
  },
}
