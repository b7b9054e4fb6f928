export type { Input, Reply, Route } from '#contract/route.ts'
export { type Answer, CallError, type CallInput, type Client, type Credentials, connect } from './client.ts'
export {
  type Details,
  type ErrorReporter,
  type ErrorReporterOptions,
  openErrorReporter,
} from './error-reporter.ts'
export {
  signStandardWebhook,
  signWebhook,
  type VerifiedWebhook,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookRefused,
} from './webhook.ts'
