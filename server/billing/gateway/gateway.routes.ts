import type { ServedOperation } from '#platform/http/operation.ts'
import { disconnect, read } from './account/account.ts'
import { connect } from './account/connect.ts'
import { receive } from './notices/receive.ts'

/** The gateway account and the gateway's notices: /api/billing/gateway. */
export const gatewayOperations: ServedOperation[] = [read, connect, disconnect, receive]
