import { expect, it } from 'vitest'
import { defined } from '#tests/support/elements.ts'
import { monthsUntil, movementQueryOf, movementSearchOf, soughtText } from './movement-search.ts'

it('finds the amount of a bank statement in any notation, and leaves other texts as they are', () => {
  expect(['1.536,70', '1,536.70 €', '-49,00', '1536.70€'].map(soughtText)).toEqual([
    '153670',
    '153670',
    '4900',
    '153670',
  ])
  const others = ['F2026-000001', '4711', 'Harbour Books, S.L.', 'Transf. 12,34', 'pi_1.25']
  expect(others.map(soughtText)).toEqual(others)
})

it('takes from the address what is valid', () => {
  const statuses = ['RECEIVED', 'REVERSED'] as const
  expect(
    movementSearchOf(
      { search: 4711, status: 'REVERSED', currency: 'eur', month: '2026-11', open: 'x' },
      statuses,
    ),
  ).toEqual({ search: '4711', status: 'REVERSED', currency: 'eur', month: '2026-11', open: 'x' })
  expect(movementSearchOf({ status: 'GONE', currency: 'EURO', month: '2026-13', open: 3 }, statuses)).toEqual(
    {},
  )
})

it('lists a whole month, and searches from two characters on', () => {
  const { from, to, ...others } = movementQueryOf({ search: ' x ', month: '2026-02' })
  expect(others).toEqual({})
  expect(Date.parse(defined(to)) - Date.parse(defined(from))).toBe(28 * 86_400_000 - 1)
  expect(movementQueryOf({ search: '49,00', status: 'REVERSED', open: 'x' })).toEqual({
    search: '4900',
    status: 'REVERSED',
  })
})

it('names the months up to now, also from the 31st and over the end of a year', () => {
  expect(monthsUntil(new Date(2026, 2, 31).getTime(), 4)).toEqual([
    '2026-03',
    '2026-02',
    '2026-01',
    '2025-12',
  ])
})
