import { expect, test } from 'vitest'
import { filtersOf, invoiceSearchOf, listQueryOf, namedPeriods } from './invoice-search.ts'

test('the address keeps only what the list has', () => {
  const address = {
    view: 'due',
    status: 'PAID',
    issued: '2026-10-01..',
    due: '..',
    sort: 'clientName.asc',
    open: 'c1',
  }
  expect(invoiceSearchOf(address)).toEqual({ view: 'due', issued: '2026-10-01..', open: 'c1' })
  expect(invoiceSearchOf({ status: 'PAID', sort: 'dueDate.desc' })).toEqual({
    status: 'PAID',
    sort: 'dueDate.desc',
  })
})

test('a view, its filters and its order become the query of the server', () => {
  expect(listQueryOf({ view: 'due', clientId: 'c1' })).toEqual({
    unpaid: true,
    clientId: 'c1',
    orderBy: 'dueDate',
    order: 'asc',
  })
  expect(listQueryOf({ view: 'overdue', sort: 'totalCents.desc' })).toEqual({
    overdue: true,
    orderBy: 'totalCents',
    order: 'desc',
  })
  // the server refuses to search for one character
  expect(listQueryOf({ search: 'F' })).toEqual({})
  expect(listQueryOf({ search: 'F2' })).toEqual({ search: 'F2' })
  // an export has the same filters and no order
  expect(filtersOf({ view: 'paid', sort: 'number.asc', due: '2026-01-01..2026-03-31' })).toEqual({
    status: 'PAID',
    dueFrom: '2026-01-01',
    dueTo: '2026-03-31',
  })
})

test('named periods have their days, also across a year', () => {
  expect(Object.fromEntries(namedPeriods('2028-02-29').map(({ name, period }) => [name, period]))).toEqual({
    thisMonth: '2028-02-01..2028-02-29',
    lastMonth: '2028-01-01..2028-01-31',
    thisQuarter: '2028-01-01..2028-03-31',
    lastQuarter: '2027-10-01..2027-12-31',
    thisYear: '2028-01-01..2028-12-31',
    lastYear: '2027-01-01..2027-12-31',
  })
})
