import { expect, test } from 'vitest'
import { partsOfSealedToken, sealedToken } from './sealed-token.ts'
import { openSeals } from './seals.ts'

const seals = openSeals(['a secret of this test'])

test('a token returns its parts, for its purpose and its secret alone', () => {
  const token = sealedToken(seals, 'page', ['org', 'id', 7])
  expect(partsOfSealedToken(seals, 'page', token)).toEqual(['org', 'id', '7'])
  expect(partsOfSealedToken(seals, 'another page', token)).toBeUndefined()
  expect(partsOfSealedToken(openSeals(['another secret']), 'page', token)).toBeUndefined()
})

test('a changed token is refused', () => {
  const token = sealedToken(seals, 'page', ['org', 'id'])
  for (const wrong of ['', '.', 'org', 'org.id', `${token}.`, `${token}.x`, `x${token}`, token.slice(0, -1)])
    expect(partsOfSealedToken(seals, 'page', wrong), wrong).toBeUndefined()
})
