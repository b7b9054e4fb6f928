import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { only } from '#tests/support/elements.ts'
import vectors from '#tests/vectors/budget-fingerprints.json' with { type: 'json' }
import type { SignedBudget } from './budget.ts'
import { canonical, sha256 } from './digest.ts'
import { type Evidence, evidenceHash, evidenceHashInRequest } from './evidence.ts'
import { canonicalForm1, fingerprint1 } from './v1.ts'
import { canonicalForm2, fingerprint2 } from './v2.ts'
import { fingerprint3 } from './v3.ts'

const item = {
  name: 'Diseño',
  description: null,
  quantity: '1',
  unit: null,
  unitPriceCents: 10_000,
  optional: false,
  selected: true,
  discount: null,
  taxes: [{ name: 'IVA', rate: '21' }],
  subtotalCents: 10_000,
}
const budget: SignedBudget = {
  code: 'P-2026-0001',
  title: 'Web',
  issue_date: '2026-01-02',
  valid_until: null,
  currency: 'eur',
  content: {
    sections: [{ title: 'Fase 1', description: null, items: [item] }],
    discounts: [],
    taxes: [{ name: 'IVA', rate: '21', baseCents: 10_000, amountCents: 2_100 }],
  },
  subtotal_cents: 10_000,
  discount_cents: 0,
  tax_cents: 2_100,
  total_cents: 12_100,
  conditions: 'Pago a 30 días',
  notes: null,
}
const withItem = (more: object): SignedBudget => ({
  ...budget,
  content: {
    ...budget.content,
    sections: [{ ...only(budget.content.sections), items: [{ ...item, ...more }] }],
  },
})

test('version 1 matches its test vector', () => {
  expect(canonical(canonicalForm1(budget))).toBe(vectors.version1.canonical)
  expect(fingerprint1(budget)).toBe(vectors.version1.sha256)
  expect(sha256(vectors.version1.canonical)).toBe(vectors.version1.sha256)
})

test('version 2 matches its test vector', () => {
  expect(`budget-fingerprint/v2\n${canonical(canonicalForm2(budget))}`).toBe(vectors.version2.canonical)
  expect(fingerprint2(budget)).toBe(vectors.version2.sha256)
  expect(sha256(vectors.version2.canonical)).toBe(vectors.version2.sha256)
})

test('version 3 depends on the bytes, not on the chunks', async () => {
  const { bytes, sha256 } = vectors.version3
  expect(await fingerprint3(Readable.from([Buffer.from(bytes)]))).toBe(sha256)
  expect(await fingerprint3(Readable.from([...bytes].map(sign => Buffer.from(sign))))).toBe(sha256)
})

describe('version 1', () => {
  test('covers code, items and total only', () => {
    const same = { ...withItem({ optional: true, unit: 'h', taxes: [] }), title: 'Otra', notes: 'Nota' }
    expect(fingerprint1(same)).toBe(vectors.version1.sha256)
    for (const other of [{ ...budget, code: 'P-1' }, { ...budget, total_cents: 1 }, withItem({ name: 'x' })])
      expect(fingerprint1(other)).not.toBe(vectors.version1.sha256)
  })

  test.each([
    [0, '0.00'],
    [5, '0.05'],
    [-5, '-0.05'],
    [123_456, '1234.56'],
    [-100, '-1.00'],
  ])('writes %i cents as %s', (cents, text) => {
    expect(canonicalForm1({ ...budget, total_cents: cents })).toMatchObject({ total: text })
  })
})

test('version 2 changes with everything that a client sees', () => {
  const [section] = budget.content.sections
  const content = (more: object) => ({ ...budget, content: { ...budget.content, ...more } })
  const others: SignedBudget[] = [
    ...[{ code: 'P-2' }, { title: 'web' }, { issue_date: '2026-01-03' }, { valid_until: '2026-02-02' }].map(
      more => ({ ...budget, ...more }),
    ),
    ...[{ currency: 'usd' }, { conditions: null }, { conditions: 'Pago a 30 dias' }, { notes: '' }].map(
      more => ({ ...budget, ...more }),
    ),
    ...[{ subtotal_cents: 1 }, { discount_cents: 1 }, { tax_cents: 1 }, { total_cents: 1 }].map(more => ({
      ...budget,
      ...more,
    })),
    ...[{ name: 'Disen\u0303o' }, { description: '' }, { quantity: '2' }, { unit: 'h' }].map(withItem),
    ...[{ unitPriceCents: 1 }, { optional: true }, { selected: false }, { subtotalCents: 1 }].map(withItem),
    ...[{ taxes: [] }, { taxes: [{ name: 'IVA', rate: '10' }] }].map(withItem),
    ...[{ discount: { kind: 'PERCENT', value: '10' } }, { discount: { kind: 'AMOUNT', value: 10 } }].map(
      withItem,
    ),
    content({ sections: [] }),
    content({ sections: [section, section] }),
    content({ sections: [{ ...section, title: null }] }),
    content({ sections: [{ ...section, description: 'x' }] }),
    content({ discounts: [{ name: 'Alta', kind: 'PERCENT', value: '5', amountCents: 500 }] }),
    content({ taxes: [] }),
  ]
  const all = [budget, ...others].map(fingerprint2)
  expect(new Set(all).size).toBe(all.length)
})

test('evidence changes with every part of it', () => {
  const evidence: Evidence = {
    signatureId: 's',
    budgetId: 'b',
    documentHash: 'd',
    hashVersion: 3,
    via: 'LINK',
    number: 1,
    signedAt: '2026-01-02T03:04:05.006Z',
    signerName: 'Ada',
    signerEmail: 'ada@example.test',
    ip: '203.0.113.77',
    userAgent: 'Browser',
    signingTokenId: 'l',
    consentHash: 'c',
    previousEvidenceHash: null,
  }
  const others = Object.keys(evidence).map(key => evidenceHash({ ...evidence, [key]: 'other' } as Evidence))
  expect(new Set([evidenceHash(evidence), ...others]).size).toBe(others.length + 1)
  const inRequest = { ...evidence, signatureRequestId: 'r', place: 2, places: 3 }
  const otherPlaces = [{ signatureRequestId: 'other' }, { place: 1 }, { places: 2 }]
  const hashes = [inRequest, ...otherPlaces.map(other => ({ ...inRequest, ...other }))].map(
    evidenceHashInRequest,
  )
  expect(new Set([evidenceHash(evidence), ...hashes]).size).toBe(5)
  expect(evidenceHashInRequest(inRequest)).toBe(
    '9aba08c4c0162f04f93c5c3cfac772e9c50da360c188cd7d66032077f3c022ef',
  )
  expect(evidenceHash(evidence)).toBe('849796d7cea8d68b2945a720bb9977092cc081a48e868e6bb7d833d9b361a2ef')
})
