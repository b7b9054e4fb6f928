import type { EventData } from '../events.ts'
import type { budgetEvents } from './budget-events.ts'

/** When each event is emitted, with an example of its data. */
export const budgetEventExamples: {
  [Name in keyof typeof budgetEvents]: { when: string; example: EventData<Name> }
} = {
  BUDGET_SIGNED: {
    when: 'A client signs a budget with a link or in the portal; with several signers, when the last one signs',
    example: {
      budgetId: 'cmhz3k8q1b7v2b5n9m4d6f8gh',
      code: 'P-2026-0001',
      signatureId: 'cmhz3k8q1s7v2b5n9m4d6f8gh',
      signedAt: '2026-11-21T20:15:00.000Z',
      hashVersion: 3,
      via: 'LINK',
      signingTokenId: 'cmhz3k8q1t7v2b5n9m4d6f8gh',
    },
  },
}
