import Type from 'typebox'
import { forApplications } from '../event.ts'

/** Events that concern the webhook of one application. */
export const webhookEvents = {
  WEBHOOK_TEST: forApplications({
    schemaVersion: '2026-07',
    scope: null,
    reaches: 'anyway',
    includesActor: true,
    data: Type.Object({ message: Type.String() }),
  }),
} as const
