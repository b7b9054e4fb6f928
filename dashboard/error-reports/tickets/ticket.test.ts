import { expect, test } from 'vitest'
import { isOpenTicket, ticketChange, ticketSearchOf } from './ticket.rules.ts'

test('the address names the application, the status and the open ticket', () => {
  expect(ticketSearchOf({ application: 'a', status: 'DONE', open: 't', other: 1 })).toEqual({
    application: 'a',
    status: 'DONE',
    open: 't',
  })
  expect(ticketSearchOf({ status: 'CLOSED', open: 5 })).toEqual({})
})

test('a form sends what changed, and an empty note removes it', () => {
  const ticket = { title: 'Pay', note: 'Ask Mei', status: 'OPEN' as const }
  expect(ticketChange(ticket, { title: 'Pay ', note: 'Ask Mei', status: 'OPEN' })).toEqual({})
  expect(ticketChange(ticket, { title: 'Pay', note: ' ', status: 'DONE' })).toEqual({
    note: null,
    status: 'DONE',
  })
})

test('a ticket is open until it is done or dismissed', () => {
  expect(
    [null, { status: 'OPEN' }, { status: 'IN_PROGRESS' }, { status: 'DONE' }].map(each =>
      isOpenTicket(each as never),
    ),
  ).toEqual([false, true, true, false])
})
