import { describe, expect, it, test } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { BlockedAddress, isNetwork, openAddressRule } from './addresses.ts'
import { assertAddressAllowed, NameUnknown, openNames } from './resolve-names.ts'

const rule = openAddressRule()

test.each([
  '0.0.0.0',
  '0.1.2.3',
  '10.0.0.1',
  '100.64.0.1',
  '100.127.255.255',
  '127.0.0.1',
  '127.255.255.255',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.255',
  '192.0.0.1',
  '192.0.2.1',
  '192.88.99.1',
  '192.168.1.1',
  '198.18.0.1',
  '198.19.255.255',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '239.1.1.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::7f00:1',
  'fc00::1',
  'fd12::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '::ffff:10.0.0.1',
  '::ffff:a00:1',
  '::ffff:127.0.0.1',
  '0:0:0:0:0:ffff:7f00:1',
  '::ffff:0:7f00:1',
  '64:ff9b::a00:1',
  '64:ff9b:1::1',
  '2002:a00:1::',
  '2001::1',
  '2001:db8::1',
  '3fff::1',
  '100::1',
  '5f00::1',
  'fe80::1%eth0',
  'localhost',
  '',
  '10.0.0.1.nip.io',
  '1.1.1',
])('%s is not dialled', address => {
  expect(rule.allows(address)).toBe(false)
})

test.each([
  '1.1.1.1',
  '8.8.8.8',
  '172.15.255.255',
  '172.32.0.1',
  '100.63.255.255',
  '100.128.0.1',
  '198.17.255.255',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450::1',
  '::ffff:8.8.8.8',
])('%s is', address => {
  expect(rule.allows(address)).toBe(true)
})

test('configured networks are allowed, and nothing else', () => {
  const house = openAddressRule(['10.1.0.0/16', '::1/128'])
  expect(house.allows('10.1.2.3')).toBe(true)
  expect(house.allows('::ffff:10.1.2.3')).toBe(true)
  expect(house.allows('::1')).toBe(true)
  expect(house.allows('10.2.0.1')).toBe(false)
  expect(house.allows('127.0.0.1')).toBe(false)
})

test.each([
  ['10.0.0.0/8', true],
  ['::1/128', true],
  ['10.0.0.0', false],
  ['10.0.0.0/33', false],
  ['house/8', false],
  ['::1/129', false],
])('%s is a network: %s', (text, is) => {
  expect(isNetwork(text)).toBe(is)
})

describe('an address of the web', () => {
  const answers: Record<string, string[]> = {
    'public.example.test': ['8.8.8.8', '2606:4700::1111'],
    'inside.example.test': ['10.0.0.1'],
    'both.example.test': ['8.8.8.8', '10.0.0.1'],
    'none.example.test': [],
  }
  const names = openNames(rule, async name => {
    if (!(name in answers)) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' })
    return defined(answers[name])
  })

  it.each(['https://public.example.test/hook', 'http://8.8.8.8:8080/', 'https://[2606:4700::1111]/'])(
    '%s can be saved',
    async url => {
      await expect(assertAddressAllowed(url, names)).resolves.toBeUndefined()
    },
  )

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://0177.0.0.1/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://0/',
    'https://inside.example.test/',
    'https://both.example.test/',
    'http://１２７.0.0.1/',
  ])('%s is refused: its address is not public', async url => {
    await expect(assertAddressAllowed(url, names)).rejects.toBeInstanceOf(BlockedAddress)
  })

  it.each([
    ['https://none.example.test/', NameUnknown],
    ['https://unknown.example.test/', NameUnknown],
    ['https://me:secret@public.example.test/', TypeError],
    ['ftp://public.example.test/', TypeError],
    ['not an address', TypeError],
  ])('%s is refused', async (url, error) => {
    await expect(assertAddressAllowed(url, names)).rejects.toBeInstanceOf(error)
  })

  it('concurrent lookups of a name share one query', async () => {
    let queryCount = 0
    const counted = openNames(rule, async () => {
      queryCount++
      return ['8.8.8.8']
    })
    await Promise.all(Array.from({ length: 50 }, () => counted('a.example.test')))
    await counted('a.example.test')
    expect(queryCount).toBe(1)
  })
})
