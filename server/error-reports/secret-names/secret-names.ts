import { readSecretNames, updateSecretNames } from '#contract/error-reports/secret-names.ts'
import { command, query } from '#platform/http/operation.ts'
import { lockSecretNames, secretNamesOf, setSecretNames } from './secret-name.sql.ts'

export const read = query(readSecretNames, async ({ db }) => ({ names: await secretNamesOf(db) }))

export const update = command(updateSecretNames, async ({ tx, body, audit }) => {
  const names = [...new Set(body.names.map(name => name.trim()))]
  const before = await lockSecretNames(tx)
  const isChanged = before.join('\n') !== names.join('\n')
  audit(tx.organizationId, isChanged ? ['secretNames'] : [])
  if (isChanged) await setSecretNames(tx, names)
  return { names }
})
