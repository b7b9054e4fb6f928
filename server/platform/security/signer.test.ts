import { expect, test } from 'vitest'
import { isSignedBy, keyIdOf, openSigner } from './signer.ts'

const secret = 'a secret of this test that is long enough'

test('every process with the secret signs equally, and anybody can verify with the public key', () => {
  const [one, other] = [openSigner(secret), openSigner(secret)]
  expect(other).toMatchObject({ publicKey: one.publicKey, keyId: one.keyId })
  const signature = one.sign('Ñandú')
  expect(other.sign('Ñandú')).toBe(signature)
  expect(isSignedBy(one.publicKey, 'Ñandú', signature)).toBe(true)
})

test('another text, another key and malformed signatures are refused', () => {
  const [one, other] = [openSigner(secret), openSigner(`${secret}!`)]
  expect(other.keyId).not.toBe(one.keyId)
  const signature = one.sign('text')
  expect(isSignedBy(one.publicKey, 'Text', signature)).toBe(false)
  expect(isSignedBy(other.publicKey, 'text', signature)).toBe(false)
  for (const wrong of ['', 'x', signature.slice(1), 'é'.repeat(86)])
    expect(isSignedBy(one.publicKey, 'text', wrong)).toBe(false)
  for (const wrong of ['', 'x', `${one.publicKey}AAAA`])
    expect(isSignedBy(wrong, 'text', signature)).toBe(false)
})

test('a key is named as RFC 8037 does', () => {
  expect(keyIdOf('11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')).toBe(
    'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  )
})
