import { expect, test } from 'vitest'
import { openCipher } from './cipher.ts'

test('encrypted text is decrypted with any of the secrets, for its purpose only', () => {
  const old = openCipher(['first secret'])
  const hidden = old.hide('a', 'whsec_ñ')
  expect(hidden).not.toContain('whsec')
  expect(old.hide('a', 'whsec_ñ')).not.toBe(hidden)
  const now = openCipher(['second secret', 'first secret'])
  expect(now.reveal('a', hidden)).toBe('whsec_ñ')
  expect(now.reveal('a', now.hide('a', ''))).toBe('')
  expect(() => now.reveal('b', hidden)).toThrow()
  expect(() => openCipher(['another']).reveal('a', hidden)).toThrow()
  for (const at of [3, 20, 40, hidden.length - 1]) {
    const changed = `${hidden.slice(0, at)}${hidden[at] === 'A' ? 'B' : 'A'}${hidden.slice(at + 1)}`
    expect(() => now.reveal('a', changed), String(at)).toThrow()
  }
  for (const text of ['', 'v1.', 'v2.abc', 'v1.abcd']) expect(() => now.reveal('a', text)).toThrow()
})
