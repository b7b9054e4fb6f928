import { openDatabase } from '#platform/data/database.ts'
import { openRelay } from '#platform/events/relay.ts'
import { openSignal } from '#platform/events/signal.ts'
import { openLog } from '#platform/log.ts'

// A relay in a separate process, to be killed: `node relay-process.ts <database url> <lease in ms>`
const [, , url = '', leaseMs = '6000'] = process.argv
const log = openLog('error', 'relay')
const database = await openDatabase({
  url,
  poolSize: 2,
  connectTimeoutMs: 2_000,
  statementTimeoutMs: 4_000,
  lockTimeoutMs: 3_000,
  idleInTransactionTimeoutMs: 1_000,
  applicationName: 'patio relay',
})
// the parent is gone
process.stdin.on('close', () => process.exit()).resume()
const signal = await openSignal({ url, log })
openRelay({ database, signal, log, leaseMs: Number(leaseMs), batchSize: 50 })
