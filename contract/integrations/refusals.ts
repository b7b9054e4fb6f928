import type { Refusals } from '../refusal.ts'

/** The refusals of applications, keys and webhooks; see contract/errors.ts. */
export const integrationRefusals = {
  APPLICATION_NOT_FOUND: { status: 404, text: 'There is no such application in this organization.' },
  APPLICATION_SLUG_TAKEN: { status: 409, text: 'Another application has or had this slug.' },
  TOO_MANY_APPLICATIONS: {
    status: 409,
    text: 'The organization has as many applications as it can have. Delete one.',
  },
  PRINCIPAL_UNKNOWN: { status: 400, text: 'The principal is not a member of this organization.' },
  SCOPE_IS_CRITICAL: {
    status: 403,
    text: 'A critical scope is given by a super administrator, with a reason.',
  },
  APPLICATION_EXCEEDS_PERMISSIONS: {
    status: 403,
    text:
      'Only an administrator may do this, or the principal of the application who holds every permission that its ' +
      'scopes stand for. If it has a critical scope, only an administrator.',
  },
  KEY_NOT_FOUND: { status: 404, text: 'The application has no such key that works.' },
  TOO_MANY_KEYS: { status: 409, text: 'As many keys as can work at a time do. Revoke one.' },
  WEBHOOK_NOT_FOUND: { status: 404, text: 'The application has no webhook.' },
  WEBHOOK_HELD: {
    status: 409,
    text: 'Nothing is sent: the webhook is held or its application disabled. Resume it first.',
  },
  SECRET_NOT_FOUND: { status: 404, text: 'The webhook has no such secret.' },
  SECRET_PREPARED: { status: 409, text: 'A secret is prepared already. Activate or retire it first.' },
  SECRET_IN_USE: { status: 409, text: 'This secret signs. Activate another one first.' },
  SECRET_RETIRED: { status: 409, text: 'This secret is retired: it is not kept any more. Prepare another.' },
  DELIVERY_NOT_FOUND: { status: 404, text: 'The application has no such delivery.' },
  DELIVERY_PENDING: { status: 409, text: 'This delivery waits to be sent already.' },
  DELIVERY_EXHAUSTED: { status: 409, text: 'This delivery has as many attempts as it can have.' },
  DELIVERY_NOT_AUTHORIZED: {
    status: 409,
    text:
      'The application may not receive this delivery now: it has no active grant in the channel, the message is not ' +
      'visible any more, or it lost the scope that the event needs.',
  },
  RECOVERY_NOT_FOUND: { status: 404, text: 'The webhook has no such recovery.' },
  RECOVERY_RUNNING: { status: 409, text: 'Another recovery or replay runs. Wait for it or cancel it.' },
  RECOVERY_ENDED: { status: 409, text: 'This recovery has ended.' },
} as const satisfies Refusals
