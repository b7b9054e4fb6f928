import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'
import { openLog } from '#platform/log.ts'
import { openCipher } from '#platform/security/cipher.ts'
import { openDispatcher } from '#server/integrations/webhooks/dispatcher/dispatcher.ts'
import { openDispatchDatabase, secretPurpose } from '#server/integrations/webhooks/engine.ts'

// A dispatcher in a separate process, to be killed: `node dispatch-process.ts <database url> <lease in ms>
// <secret> [a text that ends the process that signs it]`
const [, , url = '', leaseMs = '6000', secret = '', deadly] = process.argv
if (deadly) endAt(deadly)
const log = openLog('error', 'dispatcher')
const cipher = openCipher([secret])
// the parent is gone
process.stdin.on('close', () => process.exit()).resume()
const database = await openDispatchDatabase(url, log)
const dispatcher = openDispatcher({
  database,
  log,
  leaseMs: Number(leaseMs),
  maxInFlight: 64,
  reveal: sealed => cipher.reveal(secretPurpose, sealed),
  web: { networks: ['127.0.0.0/8'] },
})
process.on('SIGTERM', async () => {
  await dispatcher.close()
  await database.close()
  process.exit(0)
})

function endAt(text: string): void {
  const { hash } = crypto
  crypto.hash = ((...given: Parameters<typeof hash>) => {
    if (String(given[1]).includes(text)) process.kill(process.pid, 'SIGKILL')
    return hash(...given)
  }) as typeof hash
  syncBuiltinESMExports()
}
