import { expect, test } from 'vitest'
import { itemAt, lastOf } from '#tests/support/elements.ts'
import { hasRoomBelow, obstacleToMove, pathText, treeOf } from './collection.rules.ts'

/** A collection at a path of names, which are also its ids. */
function at(...names: string[]) {
  return {
    id: names.join('/'),
    name: lastOf(names),
    parentId: names.length > 1 ? names.slice(0, -1).join('/') : null,
    path: names.map((name, index) => ({ id: names.slice(0, index + 1).join('/'), name })),
    assetCount: 0,
  }
}

const brand = at('Marca')
const tone = at('Marca', 'Tono')
const support = at('Soporte')
const all = [brand, tone, support]

test('a tree keeps the order of the list, also when its beginning is missing', () => {
  const [first, second] = treeOf(all, id => `/${id}`)
  expect(first).toMatchObject({ id: 'Marca', href: '/Marca', children: [{ id: 'Marca/Tono' }] })
  expect(second?.id).toBe('Soporte')
  expect(treeOf([tone], id => id).map(({ id }) => id)).toEqual(['Marca/Tono'])
})

test('a collection goes neither into itself, nor below itself, nor where it is', () => {
  expect(obstacleToMove(all, brand, brand)).toBe('itself')
  expect(obstacleToMove(all, brand, tone)).toBe('below')
  expect(obstacleToMove(all, tone, brand)).toBe('there')
  expect(obstacleToMove(all, brand, null)).toBe('there')
  expect(obstacleToMove(all, tone, null)).toBeUndefined()
  expect(obstacleToMove(all, brand, support)).toBeUndefined()
})

test('the deepest collection below the moved one decides whether there is room', () => {
  const names = ['1', '2', '3', '4', '5', '6', '7', '8']
  const deep = names.map((_, index) => at(...names.slice(0, index + 1)))
  const [seventh, eighth] = [itemAt(deep, 6), itemAt(deep, 7)]
  expect(hasRoomBelow(seventh)).toBe(true)
  expect(hasRoomBelow(eighth)).toBe(false)
  expect(obstacleToMove([...deep, ...all], brand, seventh)).toBe('depth')
  expect(obstacleToMove([...deep, ...all], brand, itemAt(deep, 5))).toBeUndefined()
})

test('siblings have different names, whatever their case and accents', () => {
  const other = at('Soporte', 'TÓNO')
  expect(obstacleToMove([...all, other], tone, support)).toBe('name')
  expect(pathText(other)).toBe('Soporte / TÓNO')
})
