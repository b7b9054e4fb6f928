import { expect, test } from 'vitest'
import type { Registration } from './record-content.ts'
import { recordHash } from './record-hash.ts'

const issuer = { issuer_nif: '89890001K', issue_date: '2024-01-01' }
const content = { type: 'F1', taxCents: 1_235, totalCents: 12_345 } as Registration
const first = {
  ...issuer,
  kind: 'REGISTRATION',
  invoice_number: '12345678/G33',
  content,
  previous_hash: null,
  generation_time: '2024-01-01T19:20:30+01:00',
} as const
const hashes = [
  '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60',
  'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97',
  '177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68',
] as const

// the three examples of section 6 of the specification, version 0.1.2
test('the hashes are those of the examples of the tax office', () => {
  const second = {
    ...first,
    invoice_number: '12345679/G34',
    previous_hash: hashes[0],
    generation_time: '2024-01-01T19:20:35+01:00',
  }
  const cancellation = {
    ...second,
    kind: 'CANCELLATION',
    previous_hash: hashes[1],
    generation_time: '2024-01-01T19:20:40+01:00',
  } as const
  expect([first, second, cancellation].map(recordHash)).toEqual(hashes)
})

test.each([
  ['invoice_number', '12345678/G34'],
  ['issuer_nif', '89890001L'],
  ['issue_date', '2024-01-02'],
  ['previous_hash', hashes[1]],
  ['generation_time', '2024-01-01T19:20:31+01:00'],
  ['content', { ...content, taxCents: 1_236 }],
  ['content', { ...content, totalCents: 12_346 }],
  ['content', { ...content, type: 'F2' }],
])('the hash covers %s', (name, value) => {
  expect(recordHash({ ...first, [name]: value })).not.toBe(hashes[0])
})
