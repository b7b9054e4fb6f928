export { expireProposals } from './agents/agent-expiry.sql.ts'
export { channelRecipientsResolver } from './event-recipients/recipients-resolver.ts'
