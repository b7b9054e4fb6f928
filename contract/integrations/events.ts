import Type from 'typebox'
import { forApplications } from '../event.ts'

/** What the record of an application says to it. */
export const webhookEvents = {
  WEBHOOK_TEST: forApplications({
    schemaVersion: '2026-07',
    scope: null,
    reaches: 'anyway',
    isToldToActor: true,
    data: Type.Object({ message: Type.String() }),
  }),
} as const
