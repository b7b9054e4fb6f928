export type { Input, Reply, Route, StreamRoute } from '#contract/route.ts'
export {
  type Answer,
  CallError,
  type CallInput,
  type Client,
  type ClientOptions,
  type Credentials,
  connect,
  type TokenSource,
} from './client.ts'
export {
  type Details,
  type ErrorReporter,
  type ErrorReporterOptions,
  openErrorReporter,
} from './error-reporter.ts'
export { type ItemOf, listAll } from './pages.ts'
export { type Session, type SignIn, signIn } from './session.ts'
export { openStream, type StreamEvent, type StreamOptions } from './stream.ts'
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
