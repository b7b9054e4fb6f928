import { expect, test } from 'vitest'
import { canChangeShare, dayAhead, endOfDay, offeredLevels, readersOf } from './share.rules.ts'

const author = { id: 'a', name: 'Mei Lin' }

test('nobody is offered a level above their own, nor changes one', () => {
  expect(offeredLevels('EDIT')).toEqual(['READ', 'EDIT'])
  expect(offeredLevels('ADMIN')).toEqual(['READ', 'EDIT', 'ADMIN'])
  expect(canChangeShare('EDIT', 'ADMIN')).toBe(false)
  expect(canChangeShare('EDIT', 'EDIT')).toBe(true)
  expect(canChangeShare('READ', 'READ')).toBe(false)
})

test('the readers follow from the author, the administrators and the visibility', () => {
  const names = new Map([['d1', 'Diseño']])
  const of = (visibility: 'PRIVATE' | 'DEPARTMENT' | 'WORKSPACE' | 'ORGANIZATION' | 'MARKETPLACE') =>
    readersOf({ author, visibility, departments: ['d1', 'gone'] }, names)
  expect(of('PRIVATE').map(({ why }) => why)).toEqual(['author', 'administrators', 'nobody'])
  expect(of('DEPARTMENT').at(-1)).toEqual({ why: 'departments', names: ['Diseño'], level: 'READ' })
  expect(of('WORKSPACE').at(-1)?.why).toBe('workspaces')
  expect(of('MARKETPLACE').at(-1)?.why).toBe('everyone')
})

test('a share ends at the end of its day', () => {
  const now = Date.UTC(2026, 10, 23, 12)
  const end = new Date(endOfDay(dayAhead(now, 7)))
  expect([end.getHours(), end.getMinutes(), end.getDate()]).toEqual([23, 59, 30])
})
