import { expect, test } from 'vitest'
import { newId } from '#platform/ids.ts'
import { firstOf } from '#tests/support/elements.ts'
import { digestOf, newToken, organizationOf, prefixOf } from './personal-token.format.ts'

test('a token contains its organization and is unique', () => {
  const organizationId = newId()
  const tokens = Array.from({ length: 200 }, () => newToken(organizationId))
  expect(new Set(tokens).size).toBe(200)
  for (const token of tokens) {
    expect(token).toMatch(/^patio_pat_[0-9A-Za-z]{73}$/)
    expect(organizationOf(token)).toBe(organizationId)
    expect(token.startsWith(prefixOf(token))).toBe(true)
  }
  expect(new Set(tokens.map(digestOf)).size).toBe(200)
  expect(new Set(tokens.map(prefixOf)).size).toBeGreaterThan(190)
  expect(digestOf(firstOf(tokens))).toMatch(/^[0-9a-f]{64}$/)
})

test('mistyped, truncated and invented tokens are detected by their format', () => {
  const token = newToken(newId())
  const swapped = (at: number) =>
    `${token.slice(0, at)}${token[at] === 'a' ? 'b' : 'a'}${token.slice(at + 1)}`
  for (let at = 0; at < token.length; at++) expect(organizationOf(swapped(at))).toBeUndefined()
  for (const wrong of [
    '',
    'patio_pat_',
    token.slice(0, -1),
    `${token}0`,
    ` ${token}`,
    `${token}\n`,
    token.toUpperCase(),
    token.replace('patio_pat_', 'ghp_'),
    `patio_pat_${'0'.repeat(73)}`,
    'x'.repeat(100_000),
  ])
    expect(organizationOf(wrong)).toBeUndefined()
})

test('an organization id of another format gets no token', () => {
  expect(() => newToken('Acme')).toThrow()
})
