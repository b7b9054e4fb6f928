import { expect, test } from 'vitest'
import { contextPartsOf } from './context.rules.ts'
import {
  changedFields,
  errorFiltersOf,
  errorSearchOf,
  fitsState,
  isPossible,
  regressionOf,
  undoOf,
} from './error.rules.ts'
import type { HistoryEntry } from './error.ts'
import { hourBarsOf, sparkValuesOf } from './hours.ts'
import { stackOf } from './stack.rules.ts'
import { steadyOrder } from './steady-order.ts'

const now = Date.parse('2026-11-22T10:42:07.000Z')
const silence = { silence: null, silencedUntil: null, silencedForCount: null }

test('the address holds the filters; without a state the list has the open errors', () => {
  expect(errorSearchOf({ search: 42, state: 'OPEN', severity: 'high', since: '7d', x: 1 })).toEqual({
    search: '42',
    severity: 'high',
    since: '7d',
  })
  expect(errorFiltersOf({ severity: 'high', since: '24h' }, now)).toEqual({
    state: 'UNRESOLVED',
    severity: ['high'],
    from: '2026-11-21T10:00:00.000Z',
  })
  expect(errorFiltersOf({ state: 'ALL', search: ' ' }, now)).toEqual({})
})

test('a change shows at once what the error becomes, and its undo restores what it was', () => {
  expect(isPossible('SILENCE', { state: 'SILENCED' })).toBe(false)
  expect(isPossible('RESOLVE', { state: 'SILENCED' })).toBe(true)
  const resolved = changedFields({ action: 'RESOLVE' }, now)
  expect(resolved).toMatchObject({ state: 'RESOLVED', resolvedAt: '2026-11-22T10:42:07.000Z' })
  expect(fitsState({ state: 'RESOLVED' }, {})).toBe(false)
  expect(fitsState({ state: 'RESOLVED' }, { state: 'ALL' })).toBe(true)
  expect(undoOf({ ...silence, state: 'UNRESOLVED' }, { action: 'RESOLVE' })).toEqual([{ action: 'REOPEN' }])
  const silenced = { ...silence, state: 'SILENCED' as const, silence: 'COUNT' as const, silencedForCount: 5 }
  const again = { action: 'SILENCE', silence: { type: 'COUNT', count: 5 } }
  expect(undoOf(silenced, { action: 'RESOLVE' })).toEqual([{ action: 'REOPEN' }, again])
  expect(undoOf(silenced, { action: 'REOPEN' })).toEqual([again])
  expect(undoOf({ ...silence, state: 'RESOLVED' }, { action: 'REOPEN' })).toEqual([{ action: 'RESOLVE' }])
})

test('an open error that came back names its last resolution', () => {
  const entry = (action: HistoryEntry['action'], at: string): HistoryEntry => ({
    action,
    at,
    by: null,
    note: null,
  })
  const history = [entry('REGRESSED', '3'), entry('RESOLVED', '2'), entry('REPORTED', '1')]
  expect(regressionOf({ state: 'UNRESOLVED' }, history)).toMatchObject({ at: '3', resolved: { at: '2' } })
  expect(regressionOf({ state: 'RESOLVED' }, history)).toBeUndefined()
  const reopened = [entry('REOPENED', '5'), entry('RESOLVED', '4'), ...history]
  expect(regressionOf({ state: 'UNRESOLVED' }, reopened)).toBeUndefined()
})

test('rows keep their place; new ones wait, the next page follows, and a row that left comes back where it was', () => {
  expect(steadyOrder([], ['a', 'b'])).toEqual({ order: ['a', 'b'], added: [] })
  expect(steadyOrder(['a', 'b', 'c'], ['n', 'c', 'a', 'd'])).toEqual({
    order: ['a', 'b', 'c', 'd'],
    added: ['n'],
  })
  expect(steadyOrder(['a', 'b'], [])).toEqual({ order: [], added: [] })
})

test('hours without reports have empty bars', () => {
  const hours = [{ hour: '2026-11-22T09:00:00.000Z', count: 4 }]
  expect(sparkValuesOf(hours, now, 3)).toEqual([0, 4, 0])
  const bars = hourBarsOf(hours, {
    now,
    count: 2,
    labelOf: time => new Date(time).toISOString().slice(11, 16),
    valuesOf: ({ count }) => ({ count }),
  })
  expect(bars.map(({ label, values }) => [label, values])).toEqual([
    ['09:00', { count: 4 }],
    ['10:00', {}],
  ])
})

test('the stacks of five languages are read, the call that failed first', () => {
  const kindsOf = (stack: string) => stackOf(stack).lines.map(({ kind, name, place }) => [kind, name, place])
  const v8 = [
    'TypeError: x is not a function',
    '    at Orders.pay (file:///app/src/orders.ts:42:7)',
    '    at async /app/src/server.ts:7:1',
    '    at node:internal/process/task_queues:95:5',
    '    at run (/app/node_modules/fastify/lib/route.js:1:2)',
  ].join('\n')
  expect(stackOf(v8).head).toBe('TypeError: x is not a function')
  expect(kindsOf(v8)).toEqual([
    ['own', 'Orders.pay', 'file:///app/src/orders.ts:42:7'],
    ['own', '', '/app/src/server.ts:7:1'],
    ['library', '', 'node:internal/process/task_queues:95:5'],
    ['library', 'run', '/app/node_modules/fastify/lib/route.js:1:2'],
  ])
  const python = [
    'Traceback (most recent call last):',
    '  File "/usr/lib/python3.12/runpy.py", line 1, in run',
    '    exec(code)',
    '  File "/app/pay.py", line 12, in pay',
    '    raise ValueError(1)',
    'ValueError: 1',
  ].join('\n')
  expect(stackOf(python).lines).toMatchObject([
    { kind: 'text', name: 'ValueError: 1' },
    { kind: 'own', name: 'pay', place: '/app/pay.py:12', source: 'raise ValueError(1)' },
    { kind: 'library', name: 'run' },
  ])
  expect(kindsOf('#0 /app/Pay.php(12): Pay->charge(5)\n#1 [internal function]: run()')).toEqual([
    ['own', 'Pay->charge(5)', '/app/Pay.php:12'],
    ['library', 'run()', '[internal function]'],
  ])
  const java = 'at shop.Pay.charge(Pay.java:12)\nCaused by: java.io.IOException: x\nat java.io.A.b(A.java:1)'
  expect(kindsOf(java)).toEqual([
    ['own', 'shop.Pay.charge', 'Pay.java:12'],
    ['text', 'Caused by: java.io.IOException: x', ''],
    ['library', 'java.io.A.b', 'A.java:1'],
  ])
  expect(kindsOf('at Shop.Pay.Charge(Int32 n) in C:\\app\\Pay.cs:line 12')).toEqual([
    ['own', 'Shop.Pay.Charge(Int32 n)', 'C:\\app\\Pay.cs:12'],
  ])
})

test('a context shows its plain values, its structure, and what the server removed', () => {
  expect(
    contextPartsOf({
      plan: 'TEAM',
      retries: 3,
      token: '[filtered]',
      user: { email: '[email]', tags: ['a [card]', 'b [card]'] },
      _truncated: true,
    }),
  ).toEqual({
    facts: [
      { term: 'plan', value: 'TEAM' },
      { term: 'retries', value: '3' },
      { term: 'token', value: '[filtered]' },
    ],
    rest: { user: { email: '[email]', tags: ['a [card]', 'b [card]'] } },
    removed: ['token', 'user.email', 'user.tags[]'],
    isTruncated: true,
  })
})
