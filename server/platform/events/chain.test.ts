import { describe, expect, it } from 'vitest'
import { defined, exactly } from '#tests/support/elements.ts'
import { type AuditContent, type AuditRow, canonicalJson, chainHash, verifyChain } from './chain.ts'

function chainOf(count: number): AuditRow[] {
  const rows: AuditRow[] = []
  for (let seq = 1; seq <= count; seq++) {
    const content: AuditContent = {
      organizationId: 'o1',
      seq,
      id: `c${seq}`,
      actorId: 'p1',
      auth: 'session',
      ip: '::1',
      client: 'test',
      requestId: `r${seq}`,
      operation: 'PATCH /x',
      subject: null,
      changed: ['name'],
      at: '2026-11-21T12:00:00.000Z',
    }
    rows.push({ ...content, hash: chainHash(content, rows.at(-1)?.hash ?? '') })
  }
  return rows
}
const rows = exactly(8, chainOf(8))
const head = { seq: 8, hash: rows[7].hash }
const without = (index: number) => rows.filter((_, at) => at !== index)

describe('the audit chain', () => {
  it('is valid if untouched, also when checked in parts', () => {
    expect(verifyChain(rows, undefined, head)).toEqual({ isWhole: true, end: head })
    const half = verifyChain(rows.slice(0, 4))
    expect(half.isWhole && verifyChain(rows.slice(4), half.end, head)).toEqual({ isWhole: true, end: head })
  })

  it('covers the detail of a row; without one the hash is unchanged', () => {
    const { hash, ...content } = rows[0]
    const before = '7860e69d85fb66d74553850bc445609570f3ae0295279b617166f7e27dc76dbe'
    expect(hash).toBe(before)
    expect(chainHash({ ...content, detail: null }, '')).toBe(before)
    const detailed = chainHash({ ...content, detail: { a: 1, b: [{ c: null }] } }, '')
    expect(chainHash({ ...content, detail: { b: [{ c: null }], a: 1 } }, '')).toBe(detailed)
    expect(chainHash({ ...content, detail: { a: 2, b: [{ c: null }] } }, '')).not.toBe(detailed)
    expect(detailed).not.toBe(before)
  })

  it('detects an edit of any field of any row', () => {
    const others: Partial<AuditRow> = {
      id: 'x',
      actorId: null,
      auth: 'apiKey',
      ip: '::2',
      client: 'x',
      requestId: 'x',
      operation: 'x',
      subject: 'x',
      changed: [],
      detail: {},
      at: '2026-11-21T12:00:00.001Z',
      hash: 'x',
      organizationId: 'o2',
    }
    for (const [field, value] of Object.entries(others)) {
      for (let at = 0; at < rows.length; at++) {
        const edited = rows.map((row, index) => (index === at ? { ...row, [field]: value } : row))
        expect(verifyChain(edited, undefined, head), field).toMatchObject({
          isWhole: false,
          seq: at + 1,
          fault: 'row altered',
        })
      }
    }
  })

  it('detects an edit with a recomputed hash, at the next row or at the end', () => {
    for (let at = 0; at < rows.length; at++) {
      const { hash: _, ...content } = { ...defined(rows[at]), subject: 'other' }
      const forged = { ...content, hash: chainHash(content, rows[at - 1]?.hash ?? '') }
      const fault = at === 7 ? 'end missing' : 'row altered'
      const edited = rows.map((row, index) => (index === at ? forged : row))
      expect(verifyChain(edited, undefined, head)).toEqual({ isWhole: false, seq: at + 2, fault })
    }
  })

  it('detects a deletion, also with renumbered rows', () => {
    for (let at = 0; at < 7; at++) {
      expect(verifyChain(without(at), undefined, head)).toEqual({
        isWhole: false,
        seq: at + 1,
        fault: 'row missing',
      })
      const closedUp = without(at).map((row, index) => ({ ...row, seq: index + 1 }))
      expect(verifyChain(closedUp, undefined, head)).toMatchObject({ isWhole: false, seq: at + 1 })
    }
  })

  it('detects a missing end and an empty chain', () => {
    expect(verifyChain(rows.slice(0, 6), undefined, head)).toEqual({
      isWhole: false,
      seq: 7,
      fault: 'end missing',
    })
    expect(verifyChain([], undefined, head)).toEqual({ isWhole: false, seq: 1, fault: 'end missing' })
  })

  it('detects an insertion and a copy', () => {
    const slipped = { ...rows[3], id: 'x' }
    expect(verifyChain([...rows.slice(0, 4), slipped, ...rows.slice(4)])).toEqual({
      isWhole: false,
      seq: 5,
      fault: 'row out of place',
    })
    const renumbered = [...rows.slice(0, 4), slipped, ...rows.slice(4)].map((row, index) => ({
      ...row,
      seq: index + 1,
    }))
    expect(verifyChain(renumbered)).toEqual({ isWhole: false, seq: 5, fault: 'row altered' })
  })

  it('detects a swap, also with swapped numbers', () => {
    const swapped = [...rows.slice(0, 2), rows[3], rows[2], ...rows.slice(4)]
    expect(verifyChain(swapped)).toMatchObject({ isWhole: false, seq: 3 })
    const renumbered = swapped.map((row, index) => ({ ...row, seq: index + 1 }))
    expect(verifyChain(renumbered)).toEqual({ isWhole: false, seq: 3, fault: 'row altered' })
  })

  it('has one canonical form for equal content', () => {
    expect(canonicalJson({ b: [1, null, { d: 'é"\n', c: true }], a: undefined, A: 1.5 })).toBe(
      '{"A":1.5,"b":[1,null,{"c":true,"d":"é\\"\\n"}]}',
    )
    const turned = Object.fromEntries(Object.entries(rows[0]).reverse()) as AuditRow
    expect(verifyChain([turned, ...rows.slice(1)], undefined, head).isWhole).toBe(true)
  })
})
