import { expect, test } from 'vitest'
import { type ApplicationKey, curlOf, isActive, rotationOf, wasUsedLately } from './key.rules.ts'

const now = Date.parse('2026-11-22T12:00:00.000Z')
const keyWith = (values: Partial<ApplicationKey> = {}): ApplicationKey => ({
  id: 'k',
  name: 'Key',
  prefix: 'patio_app_ab',
  createdAt: '2026-11-01T00:00:00.000Z',
  expiresAt: null,
  lastUsedAt: null,
  revokedAt: null,
  ...values,
})

test('a key works until it is revoked or expires', () => {
  expect(isActive(keyWith(), now)).toBe(true)
  expect(isActive(keyWith({ expiresAt: '2026-11-22T12:00:01.000Z' }), now)).toBe(true)
  expect(isActive(keyWith({ expiresAt: '2026-11-22T12:00:00.000Z' }), now)).toBe(false)
  expect(isActive(keyWith({ revokedAt: '2026-11-22T11:00:00.000Z' }), now)).toBe(false)
})

test('a rotation creates a key, waits for its first use, and revokes the older one (KEY-2)', () => {
  const former = keyWith({ id: 'old', lastUsedAt: '2026-11-22T11:30:00.000Z' })
  const next = keyWith({ id: 'new' })
  expect(rotationOf([])).toEqual({ step: 'create' })
  expect(rotationOf([former])).toEqual({ step: 'create' })
  expect(rotationOf([next, former])).toEqual({ step: 'use', next, former })
  const used = { ...next, lastUsedAt: '2026-11-22T11:59:00.000Z' }
  expect(rotationOf([used, former])).toEqual({ step: 'revoke', next: used, former })
})

test('the command calls this server with the key; a key that is in use is known by its last use', () => {
  expect(curlOf('https://patio.example', 'patio_app_1')).toBe(
    "curl https://patio.example/api/external/v1/application \\\n  -H 'X-Api-Key: patio_app_1'",
  )
  expect(wasUsedLately(keyWith({ lastUsedAt: '2026-11-22T11:00:01.000Z' }), now)).toBe(true)
  expect(wasUsedLately(keyWith({ lastUsedAt: '2026-11-22T11:00:00.000Z' }), now)).toBe(false)
  expect(wasUsedLately(keyWith(), now)).toBe(false)
})
