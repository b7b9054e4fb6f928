import type { readWebhook } from '#contract/integrations/webhook.ts'
import type { Reply } from '#contract/route.ts'
import type { WebhookSecret } from './webhook.rules.ts'

/** The webhook of an application. */
export type Webhook = Reply<typeof readWebhook>
/** The dialog that is open over the webhook. */
export type OpenDialog = 'none' | 'set' | 'pause' | 'remove'

/** The dialog that is open over its secrets. */
export type SecretQuestion =
  | { kind: 'activate' | 'retire'; secret: WebhookSecret }
  /** The new secret, shown once. */
  | { kind: 'prepared'; value: string }
