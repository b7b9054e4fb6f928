import { describe, expect, test } from 'vitest'
import { firstOf } from '#tests/support/elements.ts'
import { type BudgetForm, changedFields, isReadable, newRow, rebased, sectionsOf } from './budget-form.ts'
import { cellOfKey } from './cell-keys.ts'
import { cellText, type ItemRow, parsedDecimal, parsedDiscount, withCell } from './item-cells.ts'
import { addRowAfter, cellsOf, duplicateRow, moveRow, pasteCells, removeRow } from './item-rows.ts'
import { totalsByCurrency } from './totals.ts'

const spanish = { language: 'es', currency: 'eur' } as const
const english = { language: 'en', currency: 'eur' } as const

function aRow(name: string, input: Partial<ItemRow> = {}): ItemRow {
  return { ...newRow(), name, price: 1_000, ...input }
}
const aSection = (key: string, ...rows: ItemRow[]) => ({ key, title: '', description: '', rows })
function aForm(input: Partial<BudgetForm> = {}): BudgetForm {
  return {
    title: 'Spring',
    clientId: 'client',
    issueDate: '2026-11-01',
    validUntil: '',
    currency: 'eur',
    sections: [aSection('one', aRow('A'))],
    discounts: [],
    conditions: '',
    notes: '',
    internalNotes: '',
    ...input,
  }
}
const namesOf = (sections: BudgetForm['sections']) => sections.map(({ rows }) => rows.map(({ name }) => name))

describe('numbers as people write them', () => {
  test.for([
    ['2,5', 'es', '2.5'],
    ['2.5', 'es', '2.5'],
    ['1.000', 'es', '1000'],
    ['1.000,50', 'es', '1000.5'],
    ['1,000', 'en', '1000'],
    ['1.000', 'en', '1'],
    ['2,5', 'en', '2.5'],
    ['-15', 'es', '-15'],
    ['007', 'es', '7'],
    ['0,0', 'es', '0'],
  ] as const)('%s in %s is %s', ([text, language, number]) => {
    expect(parsedDecimal(text, language)).toBe(number)
  })
  test.for(['', 'x', '1,2,3', '1.2.3', '1,23456', '--1'])('“%s” is no number', text => {
    expect(parsedDecimal(text, 'es')).toBeUndefined()
  })

  test('a cell is shown as it is typed, in the notation of the language', () => {
    const typed = { quantity: '2,50', price: '1.536,7', discount: '10 %', taxes: '21 + IRPF −15' }
    const row = Object.entries(typed).reduce(
      (changed, [column, text]) => withCell(changed, column as keyof typeof typed, text, spanish),
      aRow('A'),
    )
    expect(row).toMatchObject({
      quantity: '2.5',
      price: 153_670,
      discount: { kind: 'PERCENT', value: '10' },
      taxes: [
        { name: 'IVA', rate: '21' },
        { name: 'IRPF', rate: '-15' },
      ],
    })
    expect(cellText(row, 'price', spanish)).toBe('1.536,70')
    expect(cellText(row, 'price', english)).toBe('1,536.70')
    expect(cellText(row, 'quantity', spanish)).toBe('2,5')
    expect(cellText(row, 'taxes', spanish)).toBe('IVA 21 + IRPF -15')
  })

  test('a cell that cannot be read keeps its text, and the form waits', () => {
    const row = withCell(aRow('A'), 'price', 'dear', spanish)
    expect(cellText(row, 'price', spanish)).toBe('dear')
    expect(isReadable(aForm({ sections: [aSection('one', row)] }))).toBe(false)
    expect(isReadable(aForm({ sections: [aSection('one', aRow('A'), newRow())] }))).toBe(true)
    expect(parsedDiscount('120 %', spanish)).toBe('120 %')
    expect(parsedDiscount('15,5', spanish)).toEqual({ kind: 'AMOUNT', value: 1_550 })
  })
})

describe('rows', () => {
  const [a, b, c] = [aRow('A', { taxes: [{ name: 'IVA', rate: '21' }] }), aRow('B'), aRow('C')]
  const sections = [aSection('one', a, b), aSection('two', c)]

  test('move within their section and into the next one, but not out of the budget', () => {
    expect(namesOf(moveRow(sections, a.key, 1))).toEqual([['B', 'A'], ['C']])
    expect(namesOf(moveRow(sections, b.key, 1))).toEqual([['A'], ['B', 'C']])
    expect(namesOf(moveRow(sections, c.key, -1))).toEqual([['A', 'B', 'C'], []])
    expect(moveRow(sections, a.key, -1)).toBe(sections)
  })

  test('are copied below, removed, and added with the taxes of the row before', () => {
    expect(namesOf(duplicateRow(sections, a.key).sections)).toEqual([['A', 'A', 'B'], ['C']])
    expect(removeRow(sections, b.key)).toMatchObject({ key: c.key })
    const added = addRowAfter(sections, a.key)
    expect(added.sections[0]?.rows[1]).toMatchObject({ key: added.key, name: '', taxes: a.taxes })
  })

  test('are pasted from a spreadsheet, with quotes, from the cell on', () => {
    const cells = cellsOf('"Design\nof ""all"" pages"\t2,5\t60,00\r\nBook\t1\t20\r\n')
    expect(cells).toEqual([
      ['Design\nof "all" pages', '2,5', '60,00'],
      ['Book', '1', '20'],
    ])
    const pasted = pasteCells(sections, b.key, 'name', cells, spanish)
    expect(firstOf(pasted).rows.map(({ name, quantity, price }) => [name, quantity, price])).toEqual([
      ['A', '', 1_000],
      ['Design\nof "all" pages', '2.5', 6_000],
      ['Book', '1', 2_000],
    ])
    const prices = pasteCells(sections, a.key, 'unit', [['h', '12']], spanish)
    expect(prices[0]?.rows[0]).toMatchObject({ unit: 'h', price: 1_200 })
  })

  test('blank ones are not sent', () => {
    expect(sectionsOf([aSection('one', a, newRow(a)), aSection('two', newRow())])).toMatchObject([
      { items: [{ name: 'A', quantity: '1', unitPriceCents: 1_000 }] },
    ])
  })
})

describe('versions', () => {
  test('the fields that a person changed go onto a newer version', () => {
    const base = aForm()
    const mine = { ...base, title: 'Autumn', sections: [aSection('one', aRow('B'))] }
    const theirs = aForm({ title: 'Winter', notes: 'Theirs' })
    expect(changedFields(mine, base)).toEqual(['title', 'sections'])
    expect(rebased(mine, base, theirs)).toMatchObject({
      title: 'Autumn',
      notes: 'Theirs',
      sections: mine.sections,
    })
  })

  test('keys, blank rows and an unwritten quantity of one are no change', () => {
    const same = aForm({ sections: [aSection('other', aRow('A', { quantity: '1' }), newRow())] })
    expect(changedFields(same, aForm())).toEqual([])
  })
})

describe('keys in a cell', () => {
  const press = (key: string, input: object = {}) => ({
    key,
    altKey: false,
    ctrlKey: false,
    metaKey: false,
    shiftKey: false,
    currentTarget: { value: 'text', selectionStart: 2, selectionEnd: 2 },
    ...input,
  })
  test.for([
    [press('Enter'), 'r1', { kind: 'focus', key: 'r2', column: 'price' }],
    [press('Enter'), 'r2', { kind: 'add' }],
    [press('Enter', { shiftKey: true }), 'r2', { kind: 'focus', key: 'r1', column: 'price' }],
    [press('Enter', { ctrlKey: true }), 'r1', undefined],
    [press('ArrowDown'), 'r1', { kind: 'focus', key: 'r2', column: 'price' }],
    [press('ArrowUp', { altKey: true }), 'r2', { kind: 'move', by: -1 }],
    [press('d', { ctrlKey: true }), 'r1', { kind: 'duplicate' }],
    [press('ArrowRight'), 'r1', undefined],
    [
      press('ArrowRight', { currentTarget: { value: 'text', selectionStart: 0, selectionEnd: 4 } }),
      'r1',
      { kind: 'focus', key: 'r1', column: 'discount' },
    ],
    [
      press('ArrowLeft', { currentTarget: { value: 'text', selectionStart: 0, selectionEnd: 0 } }),
      'r1',
      { kind: 'focus', key: 'r1', column: 'unit' },
    ],
  ] as const)('%o in %s', ([event, row, action]) => {
    expect(cellOfKey(event, ['r1', 'r2'], row, 'price')).toEqual(action)
  })
})

test('amounts of different currencies are never added together', () => {
  const rows = [
    { currency: 'usd', totalCents: 5 },
    { currency: 'eur', totalCents: 10 },
    { currency: 'eur', totalCents: 1 },
  ]
  expect(totalsByCurrency(rows)).toEqual([
    { currency: 'eur', cents: 11, count: 2 },
    { currency: 'usd', cents: 5, count: 1 },
  ])
})
