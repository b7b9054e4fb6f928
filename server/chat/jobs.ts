export { expireProposals } from './agents/agent-expiry.sql.ts'
export { channelRecipientsResolver } from './event-recipients/recipients-resolver.ts'
export { deleteWaitingFiles } from './files/waiting-files.sql.ts'
export { importHistory } from './imports/import-history.ts'
