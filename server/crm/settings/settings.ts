import { readCrmSettings, updateCrmSettings } from '#contract/crm/settings.ts'
import { fail } from '#platform/fail.ts'
import { command, query } from '#platform/http/operation.ts'
import { isPhoneCountry } from '../phone.ts'
import { readSettings, setPhoneCountry, setPortalGreeting, setSigningReminders } from './crm-settings.sql.ts'

export const read = query(readCrmSettings, ({ db }) => readSettings(db))

/** Stored numbers do not change. */
export const update = command(updateCrmSettings, async ({ tx, body, audit }) => {
  const { phoneCountry, signingReminders, portalGreeting } = body
  if (!isPhoneCountry(phoneCountry))
    fail('VALIDATION_ERROR', {
      details: [{ path: 'phoneCountry', code: 'unknown', message: 'has no telephone numbers' }],
    })
  const changed: string[] = []
  if (await setPhoneCountry(tx, phoneCountry)) changed.push('phoneCountry')
  if (signingReminders !== undefined && (await setSigningReminders(tx, signingReminders)))
    changed.push('signingReminders')
  if (portalGreeting !== undefined && (await setPortalGreeting(tx, portalGreeting)))
    changed.push('portalGreeting')
  audit(tx.organizationId, changed)
  return readSettings(tx)
})
