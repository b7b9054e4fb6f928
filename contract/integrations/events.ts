import { forApplications } from '../event.ts'
import { Nullable, Time } from '../shapes.ts'
import { Type } from '../type.ts'

/** Events that go to the webhook of each application, subscribed or not. */
export const webhookEvents = {
  WEBHOOK_TEST: forApplications({
    schemaVersion: '2026-07',
    scope: null,
    reaches: 'anyway',
    includesActor: true,
    data: Type.Object({ message: Type.String() }),
  }),
  RESYNC: forApplications({
    schemaVersion: '2026-11',
    scope: null,
    reaches: 'anyway',
    includesActor: true,
    data: Type.Object({
      reason: Type.Literal('restored'),
      restoredTo: Nullable(Time),
    }),
  }),
} as const
