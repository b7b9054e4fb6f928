import { expect, test } from 'vitest'
import { nextColumnOf, withMoves } from './board.rules.ts'

const keyOf = (card: { id: string }) => card.id
const [anna, ben, cora] = [{ id: 'anna' }, { id: 'ben' }, { id: 'cora' }]
const column = { id: 'new', title: 'New', cards: [anna, ben], total: 60 }

test('a card on its way is first in its new column, and the totals count it there', () => {
  const moves = new Map([
    ['anna', { card: anna, to: 'lost' }],
    ['cora', { card: cora, to: 'new' }],
  ])
  expect(withMoves(column, moves, keyOf)).toMatchObject({ cards: [cora, ben], total: 60 })
  const lost = { id: 'lost', title: 'Lost', cards: [], total: 0 }
  expect(withMoves(lost, moves, keyOf)).toMatchObject({ cards: [anna], total: 1 })
})

test('a card that has arrived is counted once, while its move is still being confirmed', () => {
  const moves = new Map([['ben', { card: ben, to: 'new' }]])
  expect(withMoves(column, moves, keyOf)).toMatchObject({ cards: [anna, ben], total: 60 })
})

test('Shift and an arrow lead to the next column that takes the card', () => {
  const next = (direction: -1 | 1, open: readonly string[]) =>
    nextColumnOf(['new', 'contacted', 'qualified', 'lost'], 'qualified', direction, id => open.includes(id))
  expect(next(1, ['lost', 'new'])).toBe('lost')
  expect(next(-1, ['new', 'lost'])).toBe('new')
  expect(next(-1, ['new', 'contacted'])).toBe('contacted')
  expect(next(1, ['new'])).toBeUndefined()
})
