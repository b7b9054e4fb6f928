export { openWebhookEngine } from './webhooks/engine.ts'
export { webhookMailKinds } from './webhooks/mails/mails.ts'
export { maintainDeliveryPartitions } from './webhooks/retention/retention.sql.ts'
