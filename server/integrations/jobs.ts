export { scopeRequestMail } from './critical-scopes/scope-request.mail.ts'
export { openWebhookEngine } from './webhooks/engine.ts'
export { webhookMailKinds } from './webhooks/mails/mails.ts'
export { maintainDeliveryPartitions } from './webhooks/retention/retention.sql.ts'
