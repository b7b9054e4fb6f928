import { expect, test } from 'vitest'
import { maskIp, plainIp } from './mask-ip.ts'

test.each([
  ['203.0.113.77', '203.0.113.x'],
  ['0.0.0.0', '0.0.0.x'],
  ['::ffff:203.0.113.77', '203.0.113.x'],
  ['::FFFF:cb00:714d', '203.0.113.x'],
  ['0:0:0:0:0:ffff:203.0.113.77', '203.0.113.x'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::x'],
  ['2001:0DB8:0001::6', '2001:db8:1::x'],
  ['2001:db8::', '2001:db8:0::x'],
  ['::1', '0:0:0::x'],
  ['::', '0:0:0::x'],
  ['fe80::1%eth0', 'fe80:0:0::x'],
  // only the mapped prefix counts as IPv4
  ['64:ff9b::203.0.113.77', '64:ff9b:0::x'],
  ['::1:ffff:203.0.113.77', '0:0:0::x'],
])('masks %s as %s', (address, masked) => {
  expect(maskIp(address)).toBe(masked)
})

test('the database stores the full address', () => {
  expect(plainIp('::ffff:203.0.113.77')).toBe('203.0.113.77')
  expect(plainIp('fe80::1%eth0')).toBe('fe80::1')
  expect(plainIp('2001:db8::1')).toBe('2001:db8::1')
  expect(() => plainIp('')).toThrow()
  expect(() => maskIp('somewhere')).toThrow()
})
