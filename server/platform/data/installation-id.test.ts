import { expect, test } from 'vitest'
import { emptyDatabase, freshDatabase } from '#tests/support/postgres.ts'
import { readInstallationId } from './installation-id.ts'

test('every process of an installation reads the same id, and other installations have others', async () => {
  const [one, other, empty] = await Promise.all([freshDatabase(), freshDatabase(), emptyDatabase()])
  const elsewhere = `${one.url}?options=${encodeURIComponent('-c timezone=Asia/Tokyo -c datestyle=German')}`
  const id = await readInstallationId(one.url)
  expect(id).toMatch(/^[0-9a-f]{20}$/)
  expect(await readInstallationId(elsewhere)).toBe(id)
  expect(await readInstallationId(other.url)).not.toBe(id)
  await expect(readInstallationId(empty.url)).rejects.toThrow()
  await Promise.all([one, other, empty].map(({ drop }) => drop()))
})
