import type { Refusals } from '../refusal.ts'

/** Errors of applications, API keys and webhooks; see contract/errors.ts. */
export const integrationRefusals = {
  APPLICATION_NOT_FOUND: { status: 404, text: 'This organization has no such application.' },
  APPLICATION_SLUG_TAKEN: {
    status: 409,
    text: 'Another application has or had this slug. Choose another slug.',
  },
  TOO_MANY_APPLICATIONS: {
    status: 409,
    text: 'The organization has reached its limit of applications. Delete one first.',
  },
  PRINCIPAL_UNKNOWN: {
    status: 400,
    text: 'The principal is not a member of this organization. Choose a member.',
  },
  SCOPE_IS_CRITICAL: {
    status: 403,
    text: 'Only a super administrator can grant a critical scope, with a reason.',
  },
  SCOPE_ALREADY_GRANTED: {
    status: 409,
    text: 'The application already has one of these scopes. Request only the others.',
  },
  SCOPE_REQUEST_OPEN: {
    status: 409,
    text: 'One of these scopes has an open request. Wait for its answer or withdraw it first.',
  },
  SCOPE_REQUEST_NOT_FOUND: { status: 404, text: 'There is no such request for a critical scope.' },
  SCOPE_REQUEST_CLOSED: {
    status: 409,
    text: 'This request has already been answered or withdrawn. Create a new one if the scope is still needed.',
  },
  APPLICATION_EXCEEDS_PERMISSIONS: {
    status: 403,
    text:
      'Only an administrator may do this, or the principal of the application if they hold every permission that its ' +
      'scopes stand for. For an application with a critical scope, ask an administrator.',
  },
  KEY_NOT_FOUND: { status: 404, text: 'The application has no such active key.' },
  TOO_MANY_KEYS: {
    status: 409,
    text: 'The application has reached its limit of active keys. Revoke one first.',
  },
  WEBHOOK_NOT_FOUND: { status: 404, text: 'The application has no webhook.' },
  WEBHOOK_HELD: {
    status: 409,
    text: 'The webhook is paused or its application is disabled. Resume the webhook or enable the application first.',
  },
  SECRET_NOT_FOUND: { status: 404, text: 'The webhook has no such secret.' },
  SECRET_PREPARED: {
    status: 409,
    text: 'The webhook already has a prepared secret. Activate or retire it first.',
  },
  SECRET_IN_USE: { status: 409, text: 'This secret signs deliveries. Activate another one first.' },
  SECRET_RETIRED: { status: 409, text: 'This secret is retired and no longer stored. Prepare another one.' },
  DELIVERY_NOT_FOUND: { status: 404, text: 'The application has no such delivery.' },
  DELIVERY_PENDING: { status: 409, text: 'This delivery is already waiting to be sent.' },
  DELIVERY_EXHAUSTED: { status: 409, text: 'This delivery has reached its limit of attempts.' },
  DELIVERY_NOT_AUTHORIZED: {
    status: 409,
    text:
      'The application may not receive this delivery now: it has no active grant in the channel, the message is no ' +
      'longer visible to it, or it lost the scope that the event needs.',
  },
  RECOVERY_NOT_FOUND: { status: 404, text: 'The webhook has no such recovery.' },
  RECOVERY_RUNNING: {
    status: 409,
    text: 'Another recovery or replay is running. Wait until it ends or cancel it.',
  },
  RECOVERY_ENDED: { status: 409, text: 'This recovery has already ended.' },
} as const satisfies Refusals
