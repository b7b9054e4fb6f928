import type { EventData } from '../events.ts'
import type { leadEvents } from './lead-events.ts'

const common = {
  leadId: 'cmhz3k8q1l7v2b5n9m4d6f8gh',
  isConverted: false,
  updatedAt: '2026-11-21T20:15:00.000Z',
  changeId: 'cmhz3k8q1h7v2b5n9m4d6f8gh',
  actor: { kind: 'USER', id: 'cmhz3k8q1a1b2c3d4e5f6g7h8' },
  source: null,
} as const

/** When each event is emitted, with an example of its data (LEVT-2). */
export const leadEventExamples: {
  [Name in keyof typeof leadEvents]: { when: string; example: EventData<Name> }
} = {
  LEAD_CREATED: {
    when: 'A lead is created',
    example: { ...common, status: 'NEW', createdAt: common.updatedAt, hasEmail: true, hasPhone: false },
  },
  LEAD_UPDATED: {
    when: 'The e-mail, status, stage, score or assignee of a lead changes',
    example: {
      ...common,
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
      ...common,
      status: 'QUALIFIED',
      previousStatus: 'NEW',
      reason: 'Met at the fair',
      recordedAt: common.updatedAt,
    },
  },
  LEAD_DISQUALIFIED: {
    when: 'A lead becomes LOST',
    example: {
      ...common,
      status: 'LOST',
      previousStatus: 'CONTACTED',
      reason: 'Mail came back',
      recordedAt: common.updatedAt,
    },
  },
  LEAD_CONVERTED: {
    when: 'A lead is converted: isConverted is true and its status is WON',
    example: {
      ...common,
      status: 'WON',
      isConverted: true,
      contactId: 'cmhz3k8q1o7v2b5n9m4d6f8gh',
      opportunityId: null,
      clientId: 'cmhz3k8q1k7v2b5n9m4d6f8gh',
      convertedAt: common.updatedAt,
    },
  },
  LEAD_SCORE_UPDATED: {
    when: 'The score or temperature of a lead changes; only for applications with crm:leads:read:scoring',
    example: {
      ...common,
      status: 'NEW',
      score: 80,
      temperature: 'HOT',
      previousScore: 40,
      previousTemperature: 'WARM',
    },
  },
  LEAD_ERASED: {
    when: 'A lead is erased at the request of the person',
    example: { ...common, status: 'NEW', erasedAt: common.updatedAt },
  },
}
